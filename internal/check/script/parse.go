package script

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan/schedule"
)

// A Script defines the behavior of a server. It belongs to one server, whose calls it counts.
type Script struct {
	line  *line // holds calls; nil holds none
	gate  *gate // holds sockets; nil holds none
	fails bool  // answers all by an error
}

// callsMax bounds the service times that a script draws in advance.
const callsMax = 1_000_000

// errForm describes the syntax of a script.
var errForm = errors.New("a script is: fixed TIME, exponential TIME seed N of CALLS, slow TIME every N else TIME, " +
	"step TIME to TIME after TIME, drop every N, fail, pause TIME every TIME, or freeze TIME after TIME")

// Parse reads a script, in one of these forms:
//
//	fixed 4ms                        one call at a time, in order of arrival, 4 ms each
//	exponential 4ms seed 7 of 1000   the same, with the 1,000 service times of truth.Exponential again and again
//	slow 100ms every 100 else 5ms    all calls side by side, every 100th takes 100 ms, the others 5 ms
//	step 100us to 120us after 1s     as fixed 100us for 1 s from the first call, then as fixed 120us
//	drop every 50                    every 50th call is never answered, the others at once
//	fail                             every call is answered by an error: in gRPC, HTTP 200 with grpc-status 13
//	pause 50ms every 250ms           stands still for 50 ms in every 250 ms, from the first byte that comes
//	freeze 1s after 1.5s             stands still once for 1 s, 1.5 s after the first byte that came
func Parse(text string) (Script, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Script{}, fmt.Errorf("the script is empty; %w", errForm)
	}
	r := &reader{words: words[1:]}
	s, known := r.script(words[0])
	switch {
	case !known:
		return Script{}, fmt.Errorf("%q is not a script; %w", words[0], errForm)
	case r.err != nil:
		return Script{}, fmt.Errorf("%q: %w", text, r.err)
	case len(r.words) > 0:
		return Script{}, fmt.Errorf("%q: unexpected %q; %w", text, r.words[0], errForm)
	}
	return s, nil
}

// A reader takes words one by one and keeps the first error.
type reader struct {
	words []string
	err   error
}

func (r *reader) script(verb string) (s Script, known bool) {
	switch verb {
	case "fixed":
		s.line = &line{times: []time.Duration{r.time()}}
	case "exponential":
		s.line = r.exponential()
	case "slow":
		s.line = r.slow()
	case "step":
		s.line = r.step()
	case "drop":
		r.word("every")
		s.line = &line{dropEvery: r.count(), times: []time.Duration{0}, aside: true}
	case "fail":
		s.fails = true
	case "pause":
		s.gate = r.pause()
	case "freeze":
		length := r.time()
		r.word("after")
		s.gate = &gate{length: length, after: r.time()}
	default:
		return s, false
	}
	return s, true
}

func (r *reader) exponential() *line {
	mean := r.time()
	r.word("seed")
	seed := r.count()
	r.word("of")
	calls := r.count()
	if r.err != nil {
		return nil
	}
	return &line{times: truth.Exponential(mean, uint64(seed), int(calls))}
}

func (r *reader) slow() *line {
	l := &line{slow: r.time(), aside: true}
	r.word("every")
	l.slowEvery = r.count()
	r.word("else")
	l.times = []time.Duration{r.time()}
	return l
}

func (r *reader) step() *line {
	l := &line{times: []time.Duration{r.time()}}
	r.word("to")
	l.later = r.time()
	r.word("after")
	l.after = r.time()
	return l
}

func (r *reader) pause() *gate {
	length := r.time()
	r.word("every")
	g := &gate{length: length, every: r.time()}
	if r.err == nil && g.every <= length {
		r.err = fmt.Errorf("a pause of %v in every %v leaves no time to answer", length, g.every)
	}
	return g
}

// next takes a word.
func (r *reader) next() string {
	if r.err != nil {
		return ""
	}
	if len(r.words) == 0 {
		r.err = fmt.Errorf("the script is incomplete; %w", errForm)
		return ""
	}
	word := r.words[0]
	r.words = r.words[1:]
	return word
}

func (r *reader) word(want string) {
	if got := r.next(); r.err == nil && got != want {
		r.err = fmt.Errorf("%q is given; expected %q; %w", got, want, errForm)
	}
}

func (r *reader) time() time.Duration {
	word := r.next()
	d, err := time.ParseDuration(schedule.Seconds(word))
	if r.err == nil && (err != nil || d <= 0 || d > time.Hour) {
		r.err = fmt.Errorf("%q is not a duration of up to 1h, such as 4ms", word)
	}
	return d
}

func (r *reader) count() int64 {
	word := r.next()
	n, err := strconv.ParseInt(word, 10, 64)
	if r.err == nil && (err != nil || n < 1 || n > callsMax) {
		r.err = fmt.Errorf("%q is not a whole number from 1 to %d", word, callsMax)
	}
	return n
}
