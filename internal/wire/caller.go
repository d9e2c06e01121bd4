package wire

import (
	"context"

	"rpcbench/internal/stack"
)

// A caller waits in its goroutine for the calls of one slot.
type caller struct {
	lane  *Lane
	slot  []int // one
	ended chan error
	ctx   context.Context
	stop  func() bool // ends following ctx
}

func newCaller(lane *Lane, slot int) *caller {
	return &caller{lane: lane, slot: []int{slot}, ended: make(chan error, 1)}
}

// Call is stack.Caller's.
func (c *caller) Call(ctx context.Context) error {
	if ctx != c.ctx {
		c.follow(ctx)
	}
	c.lane.Send(c.slot)
	if ctx.Err() != nil {
		c.lane.Cancel(c.slot[0]) // what follows ctx may have come before the call
	}
	if err := <-c.ended; err != nil {
		return stack.Failure(ctx, stack.CodeOf(err), err)
	}
	return nil
}

// follow has calls end when ctx does. It costs nothing while the context stays the same.
func (c *caller) follow(ctx context.Context) {
	if c.stop != nil {
		c.stop()
	}
	c.ctx = ctx
	c.stop = context.AfterFunc(ctx, func() { c.lane.Cancel(c.slot[0]) })
}

// After is stack.Caller's. The reply was checked as it came.
func (c *caller) After() error { return nil }
