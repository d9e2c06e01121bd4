package worker

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"testing"

	"rpcbench/internal/stack"
)

// A longLived context counts what follows it.
type longLived struct {
	context.Context
	done chan struct{} // is never closed

	mu        sync.Mutex
	following int
}

// Done implements context.Context.
func (l *longLived) Done() <-chan struct{} { return l.done }

// AfterFunc is called by package context instead of waiting for Done.
func (l *longLived) AfterFunc(func()) (stop func() bool) {
	l.add(1)
	return sync.OnceValue(func() bool {
		l.add(-1)
		return true
	})
}

func (l *longLived) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.following += n
}

// A follower is a connection and its Caller. Both follow their contexts and never stop.
type follower struct {
	stack.Conn
	ctx   context.Context // of the call
	fails error           // the call
	early error           // of ctx when the connection is closed
}

func (f *follower) Caller(stack.Call, int) (stack.Caller, error) { return f, nil }

func (f *follower) Call(ctx context.Context) error {
	context.AfterFunc(ctx, func() {})
	return f.fails
}

func (f *follower) After() error { return f.ctx.Err() }

func (f *follower) Close() error {
	f.early = f.ctx.Err()
	return nil
}

// The context of a slot lives as long as its calls return in time. Closed connections keep no memory there, however their
// calls ended.
func TestConnectionsOfEndedCallsLeaveNothingAtTheContext(t *testing.T) {
	t.Parallel()
	failed := errors.New("it failed")
	for what, c := range map[string]struct {
		kind        string
		dial, first error // what fails
	}{
		"connect":             {kind: stack.KindConnect},
		"first_call":          {kind: stack.KindFirstCall},
		"no connection":       {kind: stack.KindConnect, dial: failed},
		"a first call failed": {kind: stack.KindFirstCall, first: failed},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			conn := &follower{fails: c.first}
			callers := openers(stack.Call{Kind: c.kind}, 1, func(ctx context.Context, _ int) (stack.Conn, error) {
				context.AfterFunc(ctx, func() {})
				conn.ctx = ctx
				return conn, c.dial
			})
			ctx := &longLived{Context: context.Background(), done: make(chan struct{})}
			for range 3 {
				err := callers[0].Call(ctx)
				if want := cmp.Or(c.dial, c.first); !errors.Is(err, want) {
					t.Errorf("the call ended with %v, want %v", err, want)
				}
				if conn.ctx.Err() != nil {
					t.Error("the context of the call had ended before After")
				}
				if err := callers[0].After(); err != nil || conn.early != nil {
					t.Errorf("the reply was checked with %v, the connection closed with %v; want neither", err, conn.early)
				}
			}
			if ctx.following != 0 {
				t.Errorf("after 3 calls %d still follow the context of the slot, want none", ctx.following)
			}
		})
	}
}
