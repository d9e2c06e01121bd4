package worker

import (
	"context"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/load"
)

// An opener makes connect and first_call out of any stack's Dial: a call opens a connection, and completes one empty
// unary call on it where first is set; After closes it.
type opener struct {
	dial  dialFunc
	index int
	first bool
	conn  stack.Conn // of the call that After follows
	inner stack.Caller
}

func openers(kind string, slots int, dial dialFunc) []load.Caller {
	callers := make([]load.Caller, slots)
	for i := range callers {
		callers[i] = &opener{dial: dial, index: i, first: kind == stack.KindFirstCall}
	}
	return callers
}

// Call implements stack.Caller.
func (o *opener) Call(ctx context.Context) error {
	conn, err := o.dial(ctx, o.index)
	if err != nil {
		return err
	}
	o.conn = conn
	if !o.first {
		return nil
	}
	o.inner, err = conn.Caller(stack.Call{Kind: stack.KindUnary}, 0)
	if err != nil {
		return err
	}
	return o.inner.Call(ctx)
}

// After implements stack.Caller.
func (o *opener) After() error {
	var err error
	if o.inner != nil {
		err = o.inner.After()
	}
	if o.conn != nil {
		_ = o.conn.Close() // what a call measured is over
	}
	o.conn, o.inner = nil, nil
	return err
}
