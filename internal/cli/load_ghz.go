package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// A ghzSchedule is ghz's words for a schedule: steps of BY, or BY each second, from START until END or until so long after
// the begin.
type ghzSchedule struct {
	form   scheduleForm
	start  float64
	by     float64
	down   bool
	end    float64
	toEnd  bool // END is given
	each   time.Duration
	most   time.Duration // 0 is not given
	inLine bool
}

// text is what the flag says, or what ghz's words for it come to.
func (form scheduleForm) text(flags *pflag.FlagSet) (string, error) {
	own, both := given(flags, form.flag)
	kind, ok := form.word(flags, "schedule")
	if ok && both {
		return "", fmt.Errorf("--%s-schedule stands for --%s, and both are given", form.words, form.flag)
	}
	if !ok || kind == "const" {
		for _, name := range []string{"start", "step", "end", "step-duration", "max-duration"} {
			if _, ok := form.word(flags, name); ok {
				return "", fmt.Errorf("--%s-%s means something with --%s-schedule step or line only", form.words, name, form.words)
			}
		}
		return own, nil
	}
	if kind != "step" && kind != "line" {
		return "", fmt.Errorf("--%s-schedule %s: it is const, step or line", form.words, kind)
	}
	s, err := form.ghz(flags, kind == "line")
	if err != nil {
		return "", fmt.Errorf("--%s-schedule %s: %w", form.words, kind, err)
	}
	return s.text()
}

func (form scheduleForm) word(flags *pflag.FlagSet, name string) (text string, ok bool) {
	return given(flags, form.words+"-"+name)
}

// ghz reads the words.
func (form scheduleForm) ghz(flags *pflag.FlagSet, inLine bool) (s ghzSchedule, err error) {
	start, _ := form.word(flags, "start")
	by, _ := form.word(flags, "step")
	end, toEnd := form.word(flags, "end")
	each, _ := form.word(flags, "step-duration")
	most, bounded := form.word(flags, "max-duration")
	if start == "" || by == "" || !toEnd && !bounded || each == "" && !inLine {
		return s, fmt.Errorf("it needs --%[1]s-start, --%[1]s-step, --%[1]s-end or --%[1]s-max-duration and, of steps, "+
			"--%[1]s-step-duration", form.words)
	}
	s = ghzSchedule{form: form, down: strings.HasPrefix(by, "-"), toEnd: toEnd, each: time.Second, inLine: inLine}
	var errs [5]error
	s.start, errs[0] = form.value(start)
	s.by, errs[1] = form.value(strings.TrimPrefix(by, "-"))
	if toEnd {
		s.end, errs[2] = form.value(end)
	}
	if !inLine {
		s.each, errs[3] = parseLength(each)
	}
	if bounded {
		s.most, errs[4] = parseLength(most)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return s, err
	}
	return s, s.check()
}

// check refuses what goes nowhere.
func (s *ghzSchedule) check() error {
	switch {
	case s.by == 0:
		return errNowhere
	case s.toEnd && s.end != s.start && s.down != (s.end < s.start):
		return fmt.Errorf("its steps lead away from --%s-end", s.form.words)
	case s.toEnd && s.most > 0 && s.most < s.takes():
		return fmt.Errorf("--%s-max-duration is over before --%s-end is reached: give one of them", s.form.words, s.form.words)
	}
	return nil
}

// takes is how long it is until END is reached.
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
		return "", fmt.Errorf("--%s-step leads below 0 within --%s-max-duration", s.form.words, s.form.words)
	}
	if s.inLine {
		return "line:" + number(s.start) + ".." + number(end) + "@" + length.String(), nil
	}
	return "step:" + number(s.start) + ".." + number(end) + "/" + number(s.by) + "@" + s.each.String(), nil
}

// reached is where the steps lead before the longest time is over.
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
