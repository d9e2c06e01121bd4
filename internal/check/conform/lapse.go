package conform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/stack"
)

// A lapse is a failure that a busy machine can cause: a library has given up a few calls, or a Connect. Libraries limit the steps
// of a connection by clocks of their own, which nothing here sets: in grpc-okhttp two threads must meet within a second. A case
// that fails so is tried once more, and its line and the last one say so.
type lapse struct{ error }

// Unwrap is for errors.As.
func (l lapse) Unwrap() error { return l.error }

const (
	lapseShare    = 10  // one call in so many may fail
	casesPerLapse = 100 // one case in so many may be tried again
)

// givenUp are the codes by which a library says that it has given up.
var givenUp = []string{stack.Unavailable.String(), stack.DeadlineExceeded.String()}

// isLapse reports whether outcomes of that many calls are those of a lapse.
func isLapse(codes map[string]int64, calls int64) bool {
	var lost int64
	for _, code := range givenUp {
		lost += codes[code]
	}
	return lost > 0 && lost*lapseShare <= calls && codes["OK"]+lost == calls
}

// lapseOf returns what is a lapse in the error of a case; nil where nothing is.
func lapseOf(err error) error {
	if calls, ok := errors.AsType[lapse](err); ok {
		return calls
	}
	if fault, ok := asFault(err); ok && fault.Field == "connect" && slices.ContainsFunc(givenUp, func(code string) bool {
		return strings.HasPrefix(fault.Message, code+":")
	}) {
		return fault
	}
	return nil
}

// twice runs a case's attempt, and once more after a lapse.
func twice(attempt func() (detail string, err error)) (detail string, again bool, err error) {
	detail, err = attempt()
	first := lapseOf(err)
	if first == nil {
		return detail, false, err
	}
	if detail, err = attempt(); err == nil {
		detail = fmt.Sprintf("%s; tried again, as at first %v", detail, first)
	}
	return detail, true, err
}

// tooManyLapses is what is wrong with a worker of whose cases too many were tried again; "" where nothing is.
func (v Verdict) tooManyLapses() string {
	run := v.OK + v.Failed
	if v.Again <= max(1, run/casesPerLapse) {
		return ""
	}
	return fmt.Sprintf("%d of %d cases were tried again, and one in %d may be", v.Again, run, casesPerLapse)
}
