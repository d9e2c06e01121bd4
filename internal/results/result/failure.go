package result

import "rpcbench/internal/stack/cut"

// A FailureCode classifies the failure of a trial.
type FailureCode string

// Codes of failures.
const (
	FailureFault      FailureCode = "fault"             // a worker refused a command with a Fault, whose field is FailureField
	FailureRun        FailureCode = "run"               // anything else: a worker did not start, or broke off
	FailureServer     FailureCode = "server"            // the user's server did not start, or ended
	FailureNoCall     FailureCode = "no_call"           // no call was made
	FailureCalls      FailureCode = "every_call_failed" // of a client
	FailureClientLost FailureCode = "client_lost"       // one of several; the others' evidence is of the time before
	FailureBackground FailureCode = "background_failed" // some of its calls
)

// A FailureError is a failure whose code is known where it happens.
type FailureError struct {
	Code FailureCode
	Err  error
}

func (e *FailureError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *FailureError) Unwrap() error { return e.Err }

// Fail marks a trial as failed. It truncates long reasons from others.
func (t *Trial) Fail(code FailureCode, why string) {
	t.Status, t.FailureCode, t.Failure = StatusFailed, code, cut.Text(why)
}
