// Package patience waits for others, counting only the time in which this process runs. While it is stopped (by Ctrl-Z, a
// debugger, or a suspended machine), others may have answered unnoticed.
package patience

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// maxStep is the maximum time that a Timer sleeps at once. A Timer that wakes later than twice that was stopped meanwhile.
const maxStep = time.Second

// steps are in a short time.
const steps = 4

// A Timer calls a function once its time is over.
type Timer struct {
	now func() time.Time
	f   func()

	mu     sync.Mutex
	left   time.Duration
	step   time.Duration // that it sleeps now
	asleep time.Time     // since when it does
	timer  *time.Timer   // of the step
}

// AfterFunc calls f in a separate goroutine when d has passed by a clock.
func AfterFunc(now func() time.Time, d time.Duration, f func()) *Timer {
	t := &Timer{now: now, f: f}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(t.begin(d), t.wake)
	return t
}

// Reset has the whole of d still to pass, of a timer that has not been stopped.
func (t *Timer) Reset(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Reset(t.begin(d))
}

// Stop ends the timer, which may be calling its function.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
}

// begin has d to pass, and returns how long the first step of it is.
func (t *Timer) begin(d time.Duration) time.Duration {
	t.left, t.step = d, min(d/steps, maxStep)
	return t.sleep()
}

// sleep returns how long to sleep now.
func (t *Timer) sleep() time.Duration {
	t.asleep = t.now()
	return min(t.step, t.left)
}

// wake counts a step, and sleeps again unless all have passed.
func (t *Timer) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	slept := t.now().Sub(t.asleep)
	if slept > 2*t.step {
		slept = t.step
	}
	if t.left -= slept; t.left > 0 {
		t.timer.Reset(t.sleep())
		return
	}
	go t.f()
}

// WithTimeout returns a context that ends when d has passed, and says so as its cause.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := AfterFunc(time.Now, d, func() { cancel(fmt.Errorf("%v have passed", d)) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Pause waits for d, all of which counts, and less if ctx ends, whose cause it returns then.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
