package stack

// CanceledWaiting is the error of a canceled call that says what the call was waiting for, as a noun: "the server to read". ""
// is the usual: an answer.
func CanceledWaiting(what string) *Error {
	if what == "" {
		return Errorf(Canceled, "the call was cancelled")
	}
	return &Error{Code: Canceled, Err: waited(what)}
}

// A waited error has the method that the load loop looks for, which replaces the error by the reason for the cancellation.
type waited string

func (w waited) Error() string { return "the call was cancelled while it waited for " + string(w) }

// WaitedFor returns what the call was waiting for.
func (w waited) WaitedFor() string { return string(w) }
