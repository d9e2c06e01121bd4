package point

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/host"
)

// Limits of values.
const (
	MessagesMax    = 10_000_000
	ServersMax     = 64
	ClientsMax     = 64
	PortsMax       = 64
	IdleStreamsMax = 10_000
	RecordsMax     = 100_000_000
	CallsMax       = 10_000_000_000
	RandomCallsMax = 100_000_000 // of calls that arrive at random
	ConnectionsMax = 10_000
	SlotsMax       = schedule.InFlightMax // connections × in flight
	PerSecMax      = schedule.RateMax
	PerSecMin      = 1e-5 // no load is long enough for the second call of a lower rate
	TrialsMax      = 1000
	DurationMax    = schedule.LengthMax
	DeadlineMin    = time.Millisecond
)

// scalarOf makes the reader of a key's value from a function of its text.
func scalarOf[T any](parse func(text string) (T, error)) func(Node) (T, error) {
	return func(n Node) (T, error) {
		if n.Form != Scalar {
			var none T
			return none, fmt.Errorf("%s is given; expected one value", n.Form)
		}
		return parse(n.Text)
	}
}

// texts reads a map of scalars.
func texts(n Node) (map[string]string, error) {
	read := make(map[string]string, len(n.Fields))
	for _, f := range n.Fields {
		if f.Value.Form != Scalar {
			return nil, fmt.Errorf("%s: %s is given; expected one value", f.Name, f.Value.Form)
		}
		if _, twice := read[f.Name]; twice {
			return nil, fmt.Errorf("%s is given twice", f.Name)
		}
		read[f.Name] = f.Value.Text
	}
	return read, nil
}

func name(text string) (string, error) {
	if text == "" || text != strings.Join(strings.Fields(text), " ") || strings.ContainsFunc(text, unicode.IsControl) {
		return "", fmt.Errorf("%q is not a name", text)
	}
	return text, nil
}

// oneOf accepts the known words.
func oneOf(known ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(known, text) {
			return "", fmt.Errorf("%q is unknown%s", text, hint.Of(text, known))
		}
		return text, nil
	}
}

// count accepts whole numbers between two limits.
func count[T int | int64](least, most T) func(string) (T, error) {
	return func(text string) (T, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange) && text[0] != '-', err == nil && n > int64(most):
			return 0, fmt.Errorf("%s is above the limit of %d", text, most)
		case errors.Is(err, strconv.ErrRange), err == nil && n < int64(least):
			return 0, fmt.Errorf("%s is below the minimum of %d", text, least)
		case err != nil:
			return 0, notDigits(text, float64(most))
		}
		return T(n), nil
	}
}

// notDigits says what is wrong with a number that is not written in digits, such as 1e9, which may be above the limit as well.
func notDigits(text string, most float64) error {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || n != math.Trunc(n) || !exponent.MatchString(text):
		return fmt.Errorf("%q is not a whole number", text)
	case n > most:
		return fmt.Errorf("%s is above the limit of %.0f", text, most)
	default:
		return fmt.Errorf("%s must be written in digits: %.0f", text, n)
	}
}

// exponent is a number with one.
var exponent = regexp.MustCompile(`^[0-9.]+[eE]\+?[0-9]+$`)

var sizeUnits = map[string]int{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "KiB": 1 << 10, "MiB": 1 << 20}

// size accepts a number of bytes, 1000 or 1kB.
func size(text string) (int, error) {
	digits := strings.TrimRight(text, "BkKMi ")
	unit, known := sizeUnits[strings.TrimSpace(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case !known, err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is not a size, such as 1000, 1kB, 1MB, 1KiB or 1MiB", text)
	case strings.HasPrefix(digits, "-"):
		return 0, fmt.Errorf("%s is below the minimum of 0", text)
	case err != nil, n > int64(stack.MessageBytesMax/unit):
		return 0, fmt.Errorf("%s is above the limit of %d bytes (64 MiB)", text, stack.MessageBytesMax)
	}
	return int(n) * unit, nil
}

// span accepts a duration of at least least, or more than 0 when least is negative.
func span(least time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := schedule.ParseDuration(text)
		switch {
		case errors.Is(err, schedule.ErrTooLong):
			return 0, fmt.Errorf("%s is above the limit of 24h", text)
		case err != nil:
			return 0, fmt.Errorf("%q is not a duration, such as 5s or 300ms", text)
		case least < 0 && d <= 0:
			return 0, fmt.Errorf("%s is not above 0", text)
		case d < least:
			return 0, fmt.Errorf("%s is below the minimum of %s", text, least)
		case d > DurationMax:
			return 0, fmt.Errorf("%s is above the limit of 24h", text)
		}
		return d, nil
	}
}

// sample accepts how long the operations of one call may take together.
func sample(text string) (time.Duration, error) {
	d, err := span(stack.SampleMin)(text)
	if err == nil && d > stack.SampleMax {
		return 0, fmt.Errorf("%s is above the limit of %s", text, stack.SampleMax)
	}
	return d, err
}

// positiveSpan is the least of a span that is more than 0.
const positiveSpan = time.Duration(-1)

// options accepts a map of strings; the stack checks the values.
func options(n Node) (map[string]string, error) {
	if n.Form != Map {
		return nil, fmt.Errorf("%s is given; expected a map of options", n.Form)
	}
	return texts(n)
}

// cpus accepts a list of processors, "0-1,3", several lists that processes take in turn, "0-1/2-3", or "all". It returns a
// canonical form, the empty string for all of them. Whether the machine has them is checked before a run.
func cpus(text string) (string, error) {
	if text == "all" {
		return "", nil
	}
	sets, err := host.ParseCPUSets(text)
	return host.FormatCPUSets(sets), err
}
