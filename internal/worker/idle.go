package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// idleStreamsMax is the most idle streams on one connection.
const idleStreamsMax = 10_000

// checkIdle names what of idle streams this worker does not support.
func checkIdle(info stack.Info, c *control.Connect) error {
	const field = "connect.idle_streams"
	switch n := c.GetIdleStreams(); {
	case n == 0:
		return nil
	case n > idleStreamsMax:
		return control.Faultf(field, "%d is more than %d", n, idleStreamsMax)
	case !info.Multiplexed || !slices.Contains(info.Kinds, stack.KindPingPong):
		return control.Faultf(field, "%s has no streams that share a connection", info.Name)
	case opensByCall(c.GetCall().GetKind()):
		return control.Faultf(field, "%s has no connection that could be shared", c.GetCall().GetKind())
	case isForeign(c.GetCall()):
		return control.Faultf(field, "they are of our own service, and the call is of another")
	default:
		return nil
	}
}

// openIdle opens the idle streams of every connection one after another, each with one echo. They stay open until the context
// ends. They are streams of slots that make no further calls.
func (cl *client) openIdle(ctx context.Context) error {
	n := int(cl.connect.GetIdleStreams())
	if n == 0 {
		return nil
	}
	life, cancel := context.WithCancelCause(ctx)
	cl.endIdle = func() { cancel(nil) }
	late := stack.Errorf(stack.DeadlineExceeded, "it was not open within %v", dialPatience)
	patience := time.AfterFunc(dialPatience, func() { cancel(late) })
	defer patience.Stop()
	call := callOf(idleCall(cl.connect.GetCall()), int(cl.connect.GetInFlight()))
	for _, conn := range cl.conns {
		for range n {
			patience.Reset(dialPatience)
			err := openOne(life, conn, call)
			if errors.Is(context.Cause(life), late) { // which has ended all streams, also where this one was open
				return late
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func openOne(ctx context.Context, conn stack.Conn, call stack.Call) error {
	caller, err := conn.Caller(call, 0)
	if err != nil {
		return err
	}
	if err := caller.Call(ctx); err != nil {
		return err
	}
	return caller.After()
}

// idleCall is the one call of an idle stream. Its reply is checked as those of the call that is measured.
func idleCall(call *control.Call) *control.Call {
	return &control.Call{
		Kind: stack.KindPingPong, RequestBytes: call.GetRequestBytes(), ResponseBytes: call.GetRequestBytes(),
		Payload: call.GetPayload(), Seed: call.GetSeed(), LengthsOnly: call.GetLengthsOnly(), DeadlineNs: call.GetDeadlineNs(),
	}
}
