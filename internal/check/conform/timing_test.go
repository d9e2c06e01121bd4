package conform

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/worker/record"
)

const ms = time.Millisecond

func TestALatenessIsJudgedByTheLimitAndByTheMachine(t *testing.T) {
	t.Parallel()
	const limit = 20 * ms
	for _, test := range []struct {
		name         string
		got, machine time.Duration
		want         string
	}{
		{"within the limit", 20 * ms, 0, isOK},
		{"within the limit on a machine that is late", 20 * ms, time.Hour, isOK},
		{"beyond the limit on an idle machine", 21 * ms, 0, isFailed},
		{"beyond it by no more than three times what the machine is late", 50 * ms, 10 * ms, isOK},
		{"beyond that", 51 * ms, 10 * ms, isFailed},
		{"on a machine that is itself beyond the limit", 21 * ms, 21 * ms, inconclusive},
	} {
		got := judgeLateness(lateness{test.got, "a call"}, test.machine, limit)
		if got.verdict != test.want || !strings.HasPrefix(got.detail, "a call: ") {
			t.Errorf("%s: %+v, want %s", test.name, got, test.want)
		}
	}
}

// A case is measured up to three times, the yardstick before and after each; the first good round decides, and any round
// on a machine that was late keeps the bad ones from being a failure.
func TestTheBestOfThreeRoundsDecides(t *testing.T) {
	t.Parallel()
	const limit = 10 * ms
	broken := errors.New("it broke")
	for _, test := range []struct {
		name     string
		measured []any // the yardstick's, the worker's, the yardstick's, and so on
		want     finding
	}{
		{"good at once", []any{ms, 9 * ms, ms}, finding{verdict: isOK}},
		{"good in the third round", []any{0 * ms, 11 * ms, 0 * ms, 0 * ms, 12 * ms, 0 * ms, 0 * ms, 9 * ms, 0 * ms},
			finding{verdict: isOK, repeated: true}},
		{"late in all rounds", []any{0 * ms, 11 * ms, 0 * ms, 0 * ms, 12 * ms, 0 * ms, 0 * ms, 13 * ms, 0 * ms},
			finding{verdict: isFailed, repeated: true}},
		{"late once when the machine was", []any{0 * ms, 99 * ms, 11 * ms, 0 * ms, 12 * ms, 0 * ms, 0 * ms, 13 * ms, 0 * ms},
			finding{verdict: inconclusive, repeated: true}},
		{"broken in all rounds", []any{0 * ms, broken, 0 * ms, broken, 0 * ms, broken}, finding{verdict: isFailed, repeated: true}},
		{"a broken yardstick", []any{broken, broken, broken}, finding{verdict: inconclusive, repeated: true}},
	} {
		var asked int
		c := Case{timing: &timing{limit: limit, measure: func(*rig) (lateness, error) {
			next := test.measured[asked]
			asked++
			if err, failed := next.(error); failed {
				return lateness{}, err
			}
			return lateness{by: next.(time.Duration)}, nil
		}}}
		got := c.judge(t.Context())
		got.detail = ""
		if got != test.want || asked != len(test.measured) {
			t.Errorf("%s: %+v after %d of %d measurements, want %+v", test.name, got, asked, len(test.measured), test.want)
		}
	}
}

// The calls of a freeze are made by its formula, for a server that then answers at once; what a worker that forgets when
// calls were due has recorded is far from it.
func TestAFreezeIsJudgedByWhenCallsWereDue(t *testing.T) {
	t.Parallel()
	stopped := stopTime{least: time.Second, most: 1002 * ms}
	due, sent, service := record.NewHistogram(), record.NewHistogram(), record.NewHistogram()
	for i := range 500 {
		waited := ms
		if i < 200 { // due while it stood still, 5 ms apart
			waited = time.Second - time.Duration(i)*5*ms
		}
		due.RecordValue(int64(waited))
		sent.RecordValue(int64(ms))
		service.RecordValue(int64(time.Microsecond))
	}
	sent.RecordValue(int64(time.Second)) // only the call in flight
	if got := judgeFreeze(stopped, due, service); got.by > ms || got.detail != "180 calls over 100ms, p99 975ms, stopped for 1s" {
		t.Errorf("got %+v", got)
	}
	if got := judgeFreeze(stopped, sent, service); got.by < 890*ms {
		t.Errorf("got %+v, want some 180 gaps of 5 ms", got)
	}
}

func TestCasesOfTimingAreApartAndLast(t *testing.T) {
	t.Parallel()
	config := Config{Command: command(), Reference: command(), Stacks: []string{"tcp"}}
	names := map[string][]string{}
	for _, config.Timing = range []string{TimingToo, NoTiming, OnlyTiming} {
		suite, err := New(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range suite.Cases {
			names[config.Timing] = append(names[config.Timing], c.Name)
			if timed := strings.Contains(c.Name, "timing, "); timed != (c.timing != nil) || timed != (c.run == nil) {
				t.Errorf("%s: timing %v, run %v", c.Name, c.timing != nil, c.run != nil)
			}
		}
	}
	together := slices.Concat(names[NoTiming], names[OnlyTiming])
	if !slices.Equal(together, names[TimingToo]) || len(names[OnlyTiming]) != 12 {
		t.Errorf("got %q, want the %d without timing and then the 12 of timing, %q",
			names[TimingToo], len(names[NoTiming]), names[OnlyTiming])
	}
}
