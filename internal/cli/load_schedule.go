package cli

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
)

// Limits of a schedule.
const (
	stagesMost   = 10_000
	scheduleMost = 24 * time.Hour // as of a duration
)

var (
	stepForm = regexp.MustCompile(`^step:([0-9.]+)\.\.([0-9.]+)/([0-9.]+)@(\S+)$`)
	lineForm = regexp.MustCompile(`^line:([0-9.]+)\.\.([0-9.]+)@(\S+)$`)
)

// parseSchedule reads step:FROM..TO/BY@EACH, rates a second that go up or down by BY and last EACH, and line:FROM..TO@LENGTH.
func parseSchedule(text string) (*plan.Schedule, error) {
	s := &plan.Schedule{Name: text}
	var err error
	if m := stepForm.FindStringSubmatch(text); m != nil {
		s.Stages, err = stepStages(m[1], m[2], m[3], m[4])
	} else if m := lineForm.FindStringSubmatch(text); m != nil {
		s.Stages, err = lineStages(m[1], m[2], m[3])
	} else {
		err = errors.New("a schedule is like step:100..1000/100@5s or line:100..1000@60s")
	}
	if err == nil && s.Length() > scheduleMost {
		err = fmt.Errorf("it takes %v, and %v is the most", s.Length(), scheduleMost)
	}
	if err != nil {
		return nil, fmt.Errorf("--schedule %s: %w", text, err)
	}
	return s, nil
}

func stepStages(fromText, toText, byText, eachText string) ([]plan.Stage, error) {
	from, err := parseRate(fromText)
	to, errTo := parseRate(toText)
	by, errBy := parseRate(byText)
	each, errEach := parseLength(eachText)
	if err := errors.Join(err, errTo, errBy, errEach); err != nil {
		return nil, err
	}
	if by == 0 {
		return nil, errors.New("steps of 0 go nowhere")
	}
	count := math.Floor(math.Abs(to-from)/by+1e-9) + 1
	if count > stagesMost {
		return nil, fmt.Errorf("it has %.0f steps, and %d are the most", count, stagesMost)
	}
	var stages []plan.Stage
	for i := range int(count) {
		rate := from + math.Copysign(by*float64(i), to-from)
		stages = append(stages, plan.Stage{FromPerSec: rate, ToPerSec: rate, LengthNs: int64(each)})
	}
	return stages, nil
}

func lineStages(fromText, toText, lengthText string) ([]plan.Stage, error) {
	from, err := parseRate(fromText)
	to, errTo := parseRate(toText)
	length, errLength := parseLength(lengthText)
	if err := errors.Join(err, errTo, errLength); err != nil {
		return nil, err
	}
	return []plan.Stage{{FromPerSec: from, ToPerSec: to, LengthNs: int64(length)}}, nil
}

func parseRate(text string) (float64, error) {
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || rate > rateMost {
		return 0, fmt.Errorf("%q is no rate of at most %d calls a second", text, int(rateMost))
	}
	return rate, nil
}

func parseLength(text string) (time.Duration, error) {
	length, err := time.ParseDuration(seconds(text))
	if err != nil || length < time.Millisecond {
		return 0, fmt.Errorf("%q is no duration such as 5s", text)
	}
	return length, nil
}

// setSchedule reads --schedule, or ghz's words for one, and sets what follows from it: how long, and the mean rate.
func (f *loadFlags) setSchedule(flags *pflag.FlagSet, set func(key, value, flag string)) error {
	text, err := f.scheduleText(flags)
	if err != nil || text == "" {
		return err
	}
	switch {
	case f.rate != "":
		return errors.New("--schedule says the rates, and --rate one: give one of them")
	case flags.Changed("calls"), flags.Changed("total"), flags.Changed("iterations"):
		return errors.New("--schedule ends after a time, and not after a number of calls")
	}
	if f.schedule, err = parseSchedule(text); err != nil {
		return err
	}
	length := f.schedule.Length()
	if given, ok := given(flags, "duration"); ok {
		if length, err = parseLength(given); err != nil {
			return fmt.Errorf("--duration: %w", err)
		}
	} else {
		set("duration", length.String(), "--schedule "+text+":")
	}
	mean := math.Round(1e6*f.schedule.Due(length)/length.Seconds()) / 1e6
	if mean <= 0 {
		return fmt.Errorf("--schedule %s: no call is due", text)
	}
	process := plan.LoadConstant
	if f.poisson {
		process = plan.LoadPoisson
	}
	set("load", process+" "+strconv.FormatFloat(mean, 'f', -1, 64)+"/s", "--schedule "+text+":")
	return nil
}

// scheduleText is --schedule, or what ghz's words come to: a line of N a second each second is a line to the end.
func (f *loadFlags) scheduleText(flags *pflag.FlagSet) (string, error) {
	kind, ok := given(flags, "load-schedule")
	switch {
	case !ok:
		return f.scheduleGiven, nil
	case f.scheduleGiven != "":
		return "", errors.New("--load-schedule stands for --schedule, and both are given")
	case kind == "const":
		return "", nil
	case kind != "step" && kind != "line":
		return "", fmt.Errorf("--load-schedule %s: it is const, step or line", kind)
	}
	from, _ := given(flags, "load-start")
	by, _ := given(flags, "load-step")
	to, _ := given(flags, "load-end")
	each, _ := given(flags, "load-step-duration")
	if from == "" || by == "" || to == "" || kind == "step" && each == "" {
		return "", fmt.Errorf("--load-schedule %s needs --load-start, --load-step, --load-end and, of steps, --load-step-duration",
			kind)
	}
	if kind == "step" {
		return "step:" + from + ".." + to + "/" + by + "@" + each, nil
	}
	ends, err := stepStages(from, to, by, "1s")
	if err != nil {
		return "", fmt.Errorf("--load-schedule line: %w", err)
	}
	return fmt.Sprintf("line:%s..%s@%ds", from, to, max(len(ends)-1, 1)), nil
}
