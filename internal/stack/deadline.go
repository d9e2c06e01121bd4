package stack

import (
	"context"
	"time"
)

// SendDeadline is an option of clients whose protocol can send a call's deadline to the server.
var SendDeadline = Option{
	Name: "send_deadline", Client: true, Words: Switch(), Default: "false",
	Help: "true sends the deadline with every call, so the library enforces it too; false: only the worker does.",
}

// SentDeadline is the deadline that a client sends where the option says so: 0 is none. The calls of ping_pong and burst
// share a stream that outlives them, so they send none.
func (c Call) SentDeadline() time.Duration {
	if SharesStreams(c.Kind) {
		return 0
	}
	return c.Deadline
}

// WithDeadline makes a Caller's calls use contexts that end at the call's deadline, as programs do.
func (c Call) WithDeadline(caller Caller) Caller {
	deadline := c.SentDeadline()
	if deadline <= 0 {
		return caller
	}
	return &withDeadline{caller, deadline}
}

type withDeadline struct {
	Caller

	deadline time.Duration
}

// Call is Caller's.
func (w *withDeadline) Call(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.deadline)
	defer cancel()
	return w.Caller.Call(ctx)
}
