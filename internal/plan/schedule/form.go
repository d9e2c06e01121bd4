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
	unit  string
}

// Rates and InFlight are the two sorts: calls a second of an open load, and calls in flight of a closed one.
var (
	Rates    = Form{parseRate, RateMax, PerSecond}
	InFlight = Form{parseInFlight, InFlightMax, ""}
)

// A ramp is parts, one after another, joined by + with or without spaces:
//
//	step:FROM..TO/BY@EACH   values that go up or down by BY, each for EACH
//	line:FROM..TO@LENGTH    values in a line
//	hold:VALUE@LENGTH       one value
//
// With /s before the @, values are calls per second, in all parts.
var partForms = []partForm{
	{regexp.MustCompile(`^step:([0-9.]+)\.\.([0-9.]+)/([0-9.]+)(/s)?@(\S+)$`), steps},
	{regexp.MustCompile(`^line:([0-9.]+)\.\.([0-9.]+)(/s)?@(\S+)$`), line},
	{regexp.MustCompile(`^hold:([0-9.]+)(/s)?@(\S+)$`), hold},
}

// A partForm is how a part is written. The last groups of the pattern are the unit and the length, those before them the values.
type partForm struct {
	pattern *regexp.Regexp
	stages  func(values []float64, length time.Duration) ([]Stage, error)
}

// PerSecond is the suffix of a ramp's values that are calls per second.
const PerSecond = "/s"

// joint stands between the parts of a ramp.
const joint = "+"

// ErrNowhere says that the steps of a schedule have no height.
var ErrNowhere = errors.New("steps of 0 go nowhere")

// Parse reads a ramp.
func Parse(text string) (*Schedule, error) {
	parts := strings.Split(text, joint)
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	s, form := &Schedule{Name: strings.Join(parts, joint)}, formOf(parts[0])
	for _, part := range parts {
		if part == "" && len(parts) > 1 {
			return nil, errors.New("one of its parts is empty")
		}
		own := formOf(part)
		stages, err := own.part(part)
		if err == nil && own.unit != form.unit {
			err = fmt.Errorf("its parts are all calls in flight or, with %s, all calls per second", PerSecond)
		}
		if err != nil && len(parts) > 1 {
			err = fmt.Errorf("%q: %w", part, err)
		}
		if err != nil {
			return nil, err
		}
		if s.Stages = append(s.Stages, stages...); len(s.Stages) > StagesMax {
			break
		}
	}
	if err := s.Check(form.most); err != nil {
		return nil, err
	}
	if len(parts) > 1 {
		s.Stages = pieces(s.Stages)
	}
	return s, nil
}

// formOf is how the values of a part are written, or of a ramp whose parts are alike.
func formOf(text string) Form {
	values, _, _ := strings.Cut(text, "@")
	if strings.HasSuffix(values, PerSecond) {
		return Rates
	}
	return InFlight
}

func (form Form) part(text string) ([]Stage, error) {
	for _, f := range partForms {
		m := f.pattern.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		written := m[1 : len(m)-2]
		values, errs := make([]float64, len(written)), make([]error, len(written)+1)
		for i, value := range written {
			values[i], errs[i] = form.value(value)
		}
		length, err := ParseLength(m[len(m)-1])
		errs[len(written)] = err
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		return f.stages(values, length)
	}
	return nil, errors.New("a ramp is step:10..100/10@5s, line:1..100@60s or hold:50@30s for calls in flight, " +
		"step:100..1000/100/s@5s, line:100..1000/s@60s or hold:500/s@30s for calls per second, or several of these " +
		"joined by +")
}

// OfRate reports whether the values are calls per second, by how the ramp is written.
func (s *Schedule) OfRate() bool { return formOf(s.Name).unit == PerSecond }

// Value reads one value of a ramp.
func (form Form) Value(text string) (float64, error) { return form.value(text) }

func steps(values []float64, each time.Duration) ([]Stage, error) {
	from, to, by := values[0], values[1], values[2]
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

func line(values []float64, length time.Duration) ([]Stage, error) {
	return []Stage{{From: values[0], To: values[1], LengthNs: int64(length)}}, nil
}

func hold(values []float64, length time.Duration) ([]Stage, error) {
	return []Stage{{From: values[0], To: values[0], LengthNs: int64(length)}}, nil
}

// ParseDecimal is strconv.ParseFloat of a decimal number only: Go's has underscores, hexadecimal digits, infinities and NaN, too.
func ParseDecimal(text string) (float64, error) {
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

func parseRate(text string) (float64, error) {
	rate, err := ParseDecimal(text)
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
	length, err := ParseDuration(text)
	switch {
	case errors.Is(err, ErrTooLong):
		return 0, fmt.Errorf("%s %w", text, err)
	case err != nil || length < time.Millisecond:
		return 0, fmt.Errorf("%q is not a duration, such as 5s", text)
	}
	return length, nil
}

// ErrTooLong says that a duration is longer than any that can be written down, some 292 years.
var ErrTooLong = errors.New("is too long")

// wholeDuration is a duration of any length. Only its length can be wrong then.
var wholeDuration = regexp.MustCompile(`^\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`)

// ParseDuration reads a duration. A number alone is one of seconds. The error is ErrTooLong if only the length is wrong.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(Seconds(text))
	if err != nil && wholeDuration.MatchString(Seconds(text)) {
		return 0, ErrTooLong
	}
	return d, err
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
