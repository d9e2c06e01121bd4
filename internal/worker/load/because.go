package load

import "errors"

// An explained error is that of a canceled call which says what the call was waiting for, as a noun.
type explained interface{ WaitedFor() string }

// because returns the reason for a cancellation, with what the canceled call waited for if its error says so.
func because(reason, err error) error {
	var e explained
	if errors.As(err, &e) {
		return &late{reason, e.WaitedFor()}
	}
	return reason
}

// late is a reason for a cancellation that says more.
type late struct {
	error
	waited string
}

// Error implements error.
func (l *late) Error() string { return l.error.Error() + " while the call waited for " + l.waited }

// Unwrap returns the reason.
func (l *late) Unwrap() error { return l.error }
