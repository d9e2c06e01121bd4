package worker

import (
	"context"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/load"
)

// An opener makes connect and first_call out of any stack's Dial: a call opens a connection, and completes one empty
// unary call on it where first is set; After closes it.
type opener struct {
	dial   dialFunc
	index  int
	first  *stack.Call // that is made on the connection; nil makes none
	conn   stack.Conn  // of the call that After follows
	inner  stack.Caller
	cancel context.CancelFunc // of that call's context
}

func openers(call stack.Call, slots int, dial dialFunc) []load.Caller {
	var first *stack.Call
	if call.Kind == stack.KindFirstCall {
		first = &stack.Call{Kind: stack.KindUnary, Deadline: call.Deadline}
	}
	callers := make([]load.Caller, slots)
	for i := range callers {
		callers[i] = &opener{dial: dial, index: i, first: first}
	}
	return callers
}

// Call implements stack.Caller. It has a context of its own: the slot's lives on, and keeps the memory of all that follows it,
// such as a Caller that ends its call when the context ends.
func (o *opener) Call(ctx context.Context) error {
	ctx, o.cancel = context.WithCancel(ctx)
	conn, err := o.dial(ctx, o.index)
	if err != nil {
		return err
	}
	o.conn = conn
	if o.first == nil {
		return nil
	}
	o.inner, err = conn.Caller(*o.first, 0)
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
	o.cancel()
	o.conn, o.inner = nil, nil
	return err
}
