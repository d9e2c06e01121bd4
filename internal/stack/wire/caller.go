package wire

import (
	"context"
	"sync"

	"rpcbench/internal/stack"
)

// A caller waits in its goroutine for the calls of one slot.
type caller struct {
	lane  *Lane
	slot  []int // one
	ended chan error
	stop  func() bool // ends following ctx

	mu  sync.Mutex // orders what ends a call by a context, and the calls with the next one
	ctx context.Context
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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
	c.stop = context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ctx == ctx { // or it would end a call that has nothing to do with it
			c.lane.Cancel(c.slot[0])
		}
	})
}

// After is stack.Caller's. The reply was checked as it came.
func (c *caller) After() error { return nil }
