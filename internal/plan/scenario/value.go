package scenario

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/host"
)

// Limits of values.
const (
	MessagesMax    = 10_000_000
	ServersMax     = 64
	CallsMax       = 10_000_000_000
	ConnectionsMax = 10_000
	SlotsMax       = 1_000_000 // connections × in flight
	PerSecMax      = 10_000_000
	TrialsMax      = 1000
	DurationMax    = 24 * time.Hour
	DeadlineMin    = time.Millisecond
)

// scalarOf makes the reader of a key's value from a function of its text.
func scalarOf[T any](parse func(text string) (T, error)) func(node) (T, error) {
	return func(n node) (T, error) {
		if n.form != scalar {
			var none T
			return none, fmt.Errorf("%s stands where one value is expected", n.form)
		}
		return parse(n.text)
	}
}

func (f form) String() string {
	return [...]string{"a value", "nothing", "a list", "a map"}[f]
}

func name(text string) (string, error) {
	if text == "" || text != oneLine(text) {
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
			return 0, fmt.Errorf("%s is over the limit of %d", text, most)
		case errors.Is(err, strconv.ErrRange), err == nil && n < int64(least):
			return 0, fmt.Errorf("%s is under the limit of %d", text, least)
		case err != nil:
			return 0, fmt.Errorf("%q is not a whole number", text)
		}
		return T(n), nil
	}
}

var sizeUnits = map[string]int{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "KiB": 1 << 10, "MiB": 1 << 20}

// size accepts a number of bytes, 1000 or 1kB.
func size(text string) (int, error) {
	digits := strings.TrimRight(text, "BkKMi ")
	unit, known := sizeUnits[strings.TrimSpace(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case !known, err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is not a size such as 1000, 1kB, 1MB, 1KiB or 1MiB", text)
	case strings.HasPrefix(digits, "-"):
		return 0, fmt.Errorf("%s is under the limit of 0", text)
	case err != nil, n > int64(stack.MessageBytesMax/unit):
		return 0, fmt.Errorf("%s is over the limit of %d bytes (64 MiB)", text, stack.MessageBytesMax)
	}
	return int(n) * unit, nil
}

// span accepts a duration of at least least, or more than 0 when least is negative.
func span(least time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		switch {
		case err != nil:
			return 0, fmt.Errorf("%q is not a duration such as 5s or 300ms", text)
		case least < 0 && d <= 0:
			return 0, fmt.Errorf("%s is not more than 0", text)
		case d < least:
			return 0, fmt.Errorf("%s is under the limit of %s", text, least)
		case d > DurationMax:
			return 0, fmt.Errorf("%s is over the limit of 24h", text)
		}
		return d, nil
	}
}

// sample accepts how long the operations of one call may take together.
func sample(text string) (time.Duration, error) {
	d, err := span(stack.SampleMin)(text)
	if err == nil && d > stack.SampleMax {
		return 0, fmt.Errorf("%s is over the limit of %s", text, stack.SampleMax)
	}
	return d, err
}

const positive = time.Duration(-1)

// shape accepts CONNECTIONSxIN_FLIGHT.
func shape(text string) (Shape, error) {
	left, right, found := strings.Cut(text, "x")
	if !found || !digits(left) || !digits(right) {
		return Shape{}, fmt.Errorf("%q is not a shape such as 4x25 (connections x in flight on each)", text)
	}
	connections, err := count(1, ConnectionsMax)(left)
	if err != nil {
		return Shape{}, fmt.Errorf("%s: of the connections, %w", text, err)
	}
	inFlight, err := count(1, SlotsMax)(right)
	if err != nil {
		return Shape{}, fmt.Errorf("%s: of the calls in flight, %w", text, err)
	}
	if slots := connections * inFlight; slots > SlotsMax {
		return Shape{}, fmt.Errorf("%s: connections x in flight, %d is over the limit of %d", text, slots, SlotsMax)
	}
	return Shape{connections, inFlight}, nil
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// load accepts "closed", "constant 1000/s" and "poisson 1000/s".
func load(text string) (Arrivals, error) {
	process, rate, paced := strings.Cut(text, " ")
	if _, err := oneOf("closed", "constant", "poisson")(process); err != nil {
		return Arrivals{}, err
	}
	if process == "closed" {
		if paced {
			return Arrivals{}, fmt.Errorf("%q: a closed load has no rate", text)
		}
		return Arrivals{Process: process}, nil
	}
	number, found := strings.CutSuffix(rate, "/s")
	perSec, err := strconv.ParseFloat(number, 64)
	switch {
	case !found, err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(perSec):
		return Arrivals{}, fmt.Errorf("%q has no rate such as %q", text, process+" 1000/s")
	case perSec <= 0:
		return Arrivals{}, fmt.Errorf("%s is not more than 0/s", text)
	case perSec > PerSecMax:
		return Arrivals{}, fmt.Errorf("%s is over the limit of %d/s", text, PerSecMax)
	}
	return Arrivals{Process: process, PerSec: perSec}, nil
}

// options accepts a map of strings; what each may be is the stack's to say.
func options(n node) (map[string]string, error) {
	if n.form != mapping {
		return nil, fmt.Errorf("%s stands where a map of options is expected", n.form)
	}
	return texts(n)
}

// cpus accepts a list of processors, "0-1,3", or "all", and writes it in one way, all of them as the empty string.
// Whether the machine has them is asked before a run.
func cpus(text string) (string, error) {
	if text == "all" {
		return "", nil
	}
	list, err := host.ParseCPUs(text)
	return host.FormatCPUs(list), err
}
