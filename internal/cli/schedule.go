package cli

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
)

// A scheduleForm is a flag whose value is a schedule, step:FROM..TO/BY@EACH or line:FROM..TO@LENGTH: values that go up or
// down by BY and last EACH, or in a line.
type scheduleForm struct {
	flag     string
	words    string // what ghz's flags for such a schedule begin with
	examples string
	value    func(text string) (float64, error)
	most     float64 // that a value may be
}

var (
	rateSchedule = scheduleForm{"schedule", "load", "step:100..1000/100@5s or line:100..1000@60s", parseRate, point.PerSecMax}
	rampSchedule = scheduleForm{"ramp", "concurrency", "step:10..100/10@5s or line:1..100@60s", parseInFlight, point.SlotsMax}
)

var (
	stepForm = regexp.MustCompile(`^step:([0-9.]+)\.\.([0-9.]+)/([0-9.]+)@(\S+)$`)
	lineForm = regexp.MustCompile(`^line:([0-9.]+)\.\.([0-9.]+)@(\S+)$`)
)

func (form scheduleForm) parse(text string) (*plan.Schedule, error) {
	s := &plan.Schedule{Name: text}
	var err error
	if m := stepForm.FindStringSubmatch(text); m != nil {
		s.Stages, err = form.steps(m[1], m[2], m[3], m[4])
	} else if m := lineForm.FindStringSubmatch(text); m != nil {
		s.Stages, err = form.line(m[1], m[2], m[3])
	} else {
		err = fmt.Errorf("a %s is like %s", form.flag, form.examples)
	}
	if err == nil {
		err = s.Check(form.most)
	}
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", form.flag, text, err)
	}
	return s, nil
}

func (form scheduleForm) steps(fromText, toText, byText, eachText string) ([]plan.Stage, error) {
	from, err := form.value(fromText)
	to, errTo := form.value(toText)
	by, errBy := form.value(byText)
	each, errEach := parseLength(eachText)
	if err := errors.Join(err, errTo, errBy, errEach); err != nil {
		return nil, err
	}
	if by == 0 {
		return nil, errNowhere
	}
	count := math.Floor(math.Abs(to-from)/by+1e-9) + 1
	if count > point.StagesMax {
		return nil, fmt.Errorf("it has %.0f steps, and %d are the most", count, point.StagesMax)
	}
	var stages []plan.Stage
	for i := range int(count) {
		value := from + math.Copysign(by*float64(i), to-from)
		stages = append(stages, plan.Stage{From: value, To: value, LengthNs: int64(each)})
	}
	return stages, nil
}

var errNowhere = errors.New("steps of 0 go nowhere")

func (form scheduleForm) line(fromText, toText, lengthText string) ([]plan.Stage, error) {
	from, err := form.value(fromText)
	to, errTo := form.value(toText)
	length, errLength := parseLength(lengthText)
	if err := errors.Join(err, errTo, errLength); err != nil {
		return nil, err
	}
	return []plan.Stage{{From: from, To: to, LengthNs: int64(length)}}, nil
}

func parseRate(text string) (float64, error) {
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || rate > point.PerSecMax {
		return 0, fmt.Errorf("%q is no rate of at most %d calls a second", text, point.PerSecMax)
	}
	return rate, nil
}

func parseInFlight(text string) (float64, error) {
	calls, err := strconv.Atoi(text)
	if err != nil || calls < 0 || calls > point.SlotsMax {
		return 0, fmt.Errorf("%q is no whole number of at most %d calls in flight", text, point.SlotsMax)
	}
	return float64(calls), nil
}

func parseLength(text string) (time.Duration, error) {
	length, err := time.ParseDuration(seconds(text))
	if err != nil || length < time.Millisecond {
		return 0, fmt.Errorf("%q is no duration such as 5s", text)
	}
	return length, nil
}
