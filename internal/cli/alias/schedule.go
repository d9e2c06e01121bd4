package alias

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/plan/schedule"
)

// ghz's flags for rates and ramps, by their prefix.
type scheduleWords struct {
	prefix string
	form   schedule.Form
	unit   string // of the values, in a ramp of ours
}

var (
	rateWords = scheduleWords{"load", schedule.Rates, schedule.PerSecond}
	rampWords = scheduleWords{"concurrency", schedule.InFlight, ""}
)

func ghzRates(w *Words, a Alias, kind string) error { return rateWords.rewrite(w, a, kind) }

func ghzRamp(w *Words, a Alias, kind string) error { return rampWords.rewrite(w, a, kind) }

// rewrite sets the flag to the meaning of the words.
func (g scheduleWords) rewrite(w *Words, a Alias, kind string) error {
	switch kind {
	case "const":
		return nil
	case "step", "line":
	default:
		return errors.New("must be const, step or line")
	}
	s, err := g.read(w, kind == "line")
	if err != nil {
		return err
	}
	text, err := s.text()
	if err != nil {
		return err
	}
	return w.flags.Set(a.flag, text)
}

func (g scheduleWords) word(w *Words, name string) (text string, ok bool) {
	return w.given(g.prefix + "-" + name)
}

// A ghzSchedule is a schedule as in ghz: steps of BY, or BY each second, from START until END or for a duration.
type ghzSchedule struct {
	words  scheduleWords
	start  float64
	by     float64
	down   bool
	end    float64
	toEnd  bool // END is given
	each   time.Duration
	most   time.Duration // 0 is not given
	inLine bool
}

func (g scheduleWords) read(w *Words, inLine bool) (s ghzSchedule, err error) {
	start, _ := g.word(w, "start")
	by, _ := g.word(w, "step")
	end, toEnd := g.word(w, "end")
	each, _ := g.word(w, "step-duration")
	most, bounded := g.word(w, "max-duration")
	if start == "" || by == "" || !toEnd && !bounded || each == "" && !inLine {
		return s, fmt.Errorf("it needs --%[1]s-start, --%[1]s-step, --%[1]s-end or --%[1]s-max-duration and, of steps, "+
			"--%[1]s-step-duration", g.prefix)
	}
	s = ghzSchedule{words: g, down: strings.HasPrefix(by, "-"), toEnd: toEnd, each: time.Second, inLine: inLine}
	var errs [5]error
	s.start, errs[0] = g.form.Value(start)
	s.by, errs[1] = g.form.Value(strings.TrimPrefix(by, "-"))
	if toEnd {
		s.end, errs[2] = g.form.Value(end)
	}
	if !inLine {
		s.each, errs[3] = schedule.ParseLength(each)
	}
	if bounded {
		s.most, errs[4] = schedule.ParseLength(most)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return s, err
	}
	return s, s.check()
}

// check refuses a schedule without effect.
func (s *ghzSchedule) check() error {
	prefix := s.words.prefix
	switch {
	case s.by == 0:
		return schedule.ErrNowhere
	case s.toEnd && s.end != s.start && s.down != (s.end < s.start):
		return fmt.Errorf("its steps lead away from --%s-end", prefix)
	case s.toEnd && s.most > 0 && s.most < s.takes():
		return fmt.Errorf("--%s-max-duration is over before --%s-end is reached: give one of them", prefix, prefix)
	}
	return nil
}

// takes returns how long it takes to reach END.
func (s *ghzSchedule) takes() time.Duration {
	changes := math.Abs(s.end-s.start) / s.by
	if !s.inLine {
		changes = math.Floor(changes + 1e-9)
	}
	return time.Duration(changes * float64(s.each))
}

// text writes the schedule as ours.
func (s *ghzSchedule) text() (string, error) {
	end, length := s.end, s.most
	if s.toEnd {
		length = max(s.takes(), time.Second)
	} else if end = s.reached(); end < 0 {
		return "", fmt.Errorf("--%s-step leads below 0 within --%s-max-duration", s.words.prefix, s.words.prefix)
	}
	values := number(s.start) + ".." + number(end)
	if s.inLine {
		return "line:" + values + s.words.unit + "@" + length.String(), nil
	}
	return "step:" + values + "/" + number(s.by) + s.words.unit + "@" + s.each.String(), nil
}

// reached returns where the steps lead within the maximum duration.
func (s *ghzSchedule) reached() float64 {
	changes := float64(s.most) / float64(s.each)
	if !s.inLine {
		changes = math.Ceil(changes) - 1
	}
	if s.down {
		return s.start - changes*s.by
	}
	return s.start + changes*s.by
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
