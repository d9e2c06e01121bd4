package schedule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Form is how the values of a ramp are written.
type Form struct {
	value func(text string) (float64, error)
	most  float64 // that a value may be
}

// Rates and InFlight are the two sorts: calls a second of an open load, and calls in flight of a closed one.
var (
	Rates    = Form{parseRate, RateMax}
	InFlight = Form{parseInFlight, InFlightMax}
)

// Ramps are written step:FROM..TO/BY@EACH or line:FROM..TO@LENGTH: values that go up or down by BY and last EACH, or in a
// line. With /s before the @ they are calls per second.
var (
	stepForm = regexp.MustCompile(`^step:([0-9.]+)\.\.([0-9.]+)/([0-9.]+)(/s)?@(\S+)$`)
	lineForm = regexp.MustCompile(`^line:([0-9.]+)\.\.([0-9.]+)(/s)?@(\S+)$`)
)

// PerSecond is the suffix of a ramp's values that are calls per second.
const PerSecond = "/s"

// ErrNowhere says that the steps of a schedule have no height.
var ErrNowhere = errors.New("steps of 0 go nowhere")

// Parse reads a ramp.
func Parse(text string) (*Schedule, error) {
	s, form := &Schedule{Name: text}, InFlight
	var err error
	if m := stepForm.FindStringSubmatch(text); m != nil {
		form = formOf(m[4])
		s.Stages, err = form.steps(m[1], m[2], m[3], m[5])
	} else if m := lineForm.FindStringSubmatch(text); m != nil {
		form = formOf(m[3])
		s.Stages, err = form.line(m[1], m[2], m[4])
	} else {
		err = errors.New("a ramp is step:10..100/10@5s or line:1..100@60s for calls in flight, " +
			"step:100..1000/100/s@5s or line:100..1000/s@60s for calls per second")
	}
	if err != nil {
		return nil, err
	}
	return s, s.Check(form.most)
}

func formOf(unit string) Form {
	if unit == PerSecond {
		return Rates
	}
	return InFlight
}

// OfRate reports whether the values are calls per second, by how the ramp is written.
func (s *Schedule) OfRate() bool {
	before, _, _ := strings.Cut(s.Name, "@")
	return strings.HasSuffix(before, PerSecond)
}

// Value reads one value of a ramp.
func (form Form) Value(text string) (float64, error) { return form.value(text) }

func (form Form) steps(fromText, toText, byText, eachText string) ([]Stage, error) {
	from, err := form.value(fromText)
	to, errTo := form.value(toText)
	by, errBy := form.value(byText)
	each, errEach := ParseLength(eachText)
	if err := errors.Join(err, errTo, errBy, errEach); err != nil {
		return nil, err
	}
	if by == 0 {
		return nil, ErrNowhere
	}
	count := math.Floor(math.Abs(to-from)/by+1e-9) + 1
	if count > StagesMax {
		return nil, fmt.Errorf("it has %.0f steps, above the limit of %d", count, StagesMax)
	}
	var stages []Stage
	for i := range int(count) {
		value := from + math.Copysign(by*float64(i), to-from)
		stages = append(stages, Stage{From: value, To: value, LengthNs: int64(each)})
	}
	return stages, nil
}

func (form Form) line(fromText, toText, lengthText string) ([]Stage, error) {
	from, err := form.value(fromText)
	to, errTo := form.value(toText)
	length, errLength := ParseLength(lengthText)
	if err := errors.Join(err, errTo, errLength); err != nil {
		return nil, err
	}
	return []Stage{{From: from, To: to, LengthNs: int64(length)}}, nil
}

func parseRate(text string) (float64, error) {
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate <= RateMax) {
		return 0, fmt.Errorf("%q is not a rate of at most %d calls a second", text, RateMax)
	}
	return rate, nil
}

func parseInFlight(text string) (float64, error) {
	calls, err := strconv.Atoi(text)
	if err != nil || calls < 0 || calls > InFlightMax {
		return 0, fmt.Errorf("%q is not a whole number of at most %d calls in flight", text, InFlightMax)
	}
	return float64(calls), nil
}

// ParseLength reads how long a stage takes. A number alone is one of seconds.
func ParseLength(text string) (time.Duration, error) {
	length, err := time.ParseDuration(Seconds(text))
	if err != nil || length < time.Millisecond {
		return 0, fmt.Errorf("%q is not a duration, such as 5s", text)
	}
	return length, nil
}

// plainNumber is a number without sign, exponent and unit.
var plainNumber = regexp.MustCompile(`^[0-9]*\.?[0-9]+$|^[0-9]+\.$`)

// Seconds reads a bare number as seconds, as other tools do.
func Seconds(text string) string {
	if plainNumber.MatchString(text) {
		return text + "s"
	}
	return text
}
