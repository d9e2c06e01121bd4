package load_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/load"
)

// A kind is how a pool's slots make their calls: by Callers, or by Pipelines. What a pool promises holds for both.
type kind struct {
	name  string
	lines int // Pipelines; 0 is Callers
}

// virtually tests every kind of slots in virtual time. Two lines share slots as far as their number is even.
func virtually(t *testing.T, test func(t *testing.T, by kind)) {
	t.Helper()
	for _, by := range []kind{{"callers", 0}, {"a line", 1}, {"two lines", 2}} {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { test(t, by) })
		})
	}
}

// A virtualPool is a pool that leaves nothing behind.
type virtualPool struct {
	*load.SlotPool
	lines []*virtualLine
	reads *atomic.Int64 // of its clock
}

func (r *virtualPool) Close() {
	r.SlotPool.Close()
	for _, l := range r.lines {
		l.close()
	}
}

// pool makes a pool of equal slots on a virtual clock.
func (k kind) pool(slots int, caller load.Caller) *virtualPool {
	callers := make([]load.Caller, slots)
	for i := range callers {
		callers[i] = caller
	}
	return k.of(callers, 10*second)
}

func (k kind) of(callers []load.Caller, deadline time.Duration) *virtualPool {
	return k.with(callers, load.SleepWaiter{}, deadline)
}

func (k kind) with(callers []load.Caller, waiter load.Waiter, deadline time.Duration) *virtualPool {
	start, reads := time.Now(), &atomic.Int64{}
	config := load.Config{
		Now:    func() time.Duration { reads.Add(1); return time.Since(start) },
		Waiter: waiter, Deadline: deadline,
	}
	lines := k.lines
	if len(callers)%max(1, lines) != 0 {
		lines = 1
	}
	if lines == 0 {
		config.Callers = callers
		return &virtualPool{load.NewSlotPool(config), nil, reads}
	}
	made := make([]*virtualLine, lines)
	for i := range made {
		made[i] = &virtualLine{ends: make(chan virtualEnd, 1<<16), closed: make(chan struct{})}
		config.Lines = append(config.Lines, made[i])
	}
	config.LineOf = load.Evenly(lines, len(callers)/lines)
	for i, caller := range callers {
		made[i%lines].callers = append(made[i%lines].callers, caller)
		made[i%lines].cancel = append(made[i%lines].cancel, nil)
	}
	return &virtualPool{load.NewSlotPool(config), made, reads}
}

// A virtualLine is a Pipeline of Callers.
type virtualLine struct {
	callers []load.Caller
	ends    chan virtualEnd
	closed  chan struct{}

	mu     sync.Mutex
	cancel []context.CancelFunc // of the call of each slot; nil without one
}

type virtualEnd struct {
	slot int
	err  error
}

func (l *virtualLine) Send(slots []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, slot := range slots {
		if l.cancel[slot] != nil {
			panic("a slot was sent a call while it had one")
		}
		ctx, cancel := context.WithCancel(context.Background())
		l.cancel[slot] = cancel
		go l.call(ctx, slot)
	}
}

func (l *virtualLine) call(ctx context.Context, slot int) {
	err := l.callers[slot].Call(ctx)
	if wrong := l.callers[slot].After(); err == nil {
		err = wrong
	}
	l.mu.Lock()
	l.cancel[slot]()
	l.cancel[slot] = nil
	l.mu.Unlock()
	l.ends <- virtualEnd{slot, err}
}

func (l *virtualLine) Wait(ended func(slot int, err error)) bool {
	select {
	case e := <-l.ends:
		ended(e.slot, e.err)
	case <-l.closed:
		return false
	}
	for { // what else has come meanwhile is one batch with it
		select {
		case e := <-l.ends:
			ended(e.slot, e.err)
		default:
			return true
		}
	}
}

func (l *virtualLine) Cancel(slot int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cancel := l.cancel[slot]; cancel != nil {
		cancel()
	}
}

func (l *virtualLine) close() { close(l.closed) }
