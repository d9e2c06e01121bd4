package conform

import (
	"fmt"
	"math"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/record"
)

const (
	frozenPerSec = 200
	frozenWindow = 2500 * time.Millisecond
	freezeFor    = time.Second
	feltFrom     = 100 * time.Millisecond // a call that takes longer has felt the freeze
	freezeError  = 0.02                   // that the design allows
)

// frozen stops the server for a second under an open load. Every call that was due meanwhile must say so, however few
// slots there are: this is where coordinated omission would show.
func frozen(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		client, server, err := r.warmed(unary(s))
		if err != nil {
			return "", err
		}
		begin := openFor("constant", frozenPerSec, frozenWindow)
		done, stopped, err := r.runFrozen(client, server, begin)
		if err != nil {
			return "", err
		}
		if err := wantOutcome(done, "OK", frozenCalls); err != nil {
			return "", err
		}
		h, err := decodeAll(done)
		if err != nil {
			return "", err
		}
		return judgeFreeze(h, s, stopped)
	}
}

// runFrozen runs a phase and freezes the server half a second after its begin.
func (r *rig) runFrozen(client, server *child, begin *control.Begin) (*control.Done, stopTime, error) {
	var seen int
	var stopped stopTime
	frozen := make(chan error, 1)
	done, err := r.watched(client, begin, func(*control.Interval) {
		if seen++; seen == 5 {
			go func() {
				var err error
				stopped, err = server.freeze(r.ctx, freezeFor)
				frozen <- err
			}()
		}
	})
	if err == nil && seen < 5 {
		return nil, stopped, fmt.Errorf("%d intervals came of %v, ten a second were due", seen, frozenWindow)
	}
	if seen >= 5 {
		if failed := <-frozen; err == nil {
			err = failed
		}
	}
	return done, stopped, err
}

// judgeFreeze compares what was recorded with what must have been. Of a freeze of length S under R calls a second, the
// k-th call due in it, k = 0, 1, …, waits S − (k+δ)/R, 0 ≤ δ < 1, and then for its turn in the backlog. Where each of
// the backlog takes b, its response is S − (k+δ)/R + (k+1)·b. Hence (S−L+b) / (1/R−b) calls, give or take one, take longer
// than L. On one slot b is the mean service time of calls that were not stopped; with more it
// lies between 0 and that, as far as the processors go.
func judgeFreeze(h histogramsByName, s shape, stopped stopTime) (string, error) {
	least, most := truth{stopped.least, 0}, truth{stopped.most, record.MeanUpTo(h["service"], feltFrom)}
	slow := record.CountAbove(h["response"], feltFrom)
	fewest, largest := least.slow()*(1-freezeError)-1, most.slow()*(1+freezeError)+1
	if float64(slow) < fewest || float64(slow) > largest {
		return "", fmt.Errorf("%d calls took over %v, want %.0f to %.0f for a stop of %v",
			slow, feltFrom, math.Ceil(fewest), math.Floor(largest), stopped.least.Round(time.Millisecond))
	}
	calls := h["response"].TotalCount()
	beyond := float64(calls - int64(0.99*float64(calls)+0.5)) // so many samples are longer than the p99
	p99 := time.Duration(h["response"].ValueAtPercentile(99))
	low := time.Duration(float64(least.response(beyond, 1)) * (1 - freezeError))
	high := time.Duration(float64(most.response(beyond, 0)) * (1 + freezeError))
	if p99 < low || p99 > high {
		return "", fmt.Errorf("the p99 is %v, want %v to %v for a stop of %v", p99, low, high, stopped.least)
	}
	return fmt.Sprintf("%d calls over %v of %.0f to %.0f, p99 %v, stopped for %v", slow, feltFrom, least.slow(), most.slow(),
		p99.Round(time.Millisecond), stopped.least.Round(time.Millisecond)), checkLags(h, s)
}

// A truth is what a freeze does to calls, where each of the backlog takes a time.
type truth struct{ stop, each time.Duration }

// frozenCalls is how many calls are due in all, and so the most that a freeze can hold up.
const frozenCalls = frozenPerSec * int64(frozenWindow/time.Millisecond) / 1000

// growing tells whether the backlog never ends: its calls take no less time than lies between two that come due.
func (t truth) growing() bool { return t.each >= time.Second/frozenPerSec }

// slow returns how many calls take longer than feltFrom.
func (t truth) slow() float64 {
	if t.growing() {
		return float64(frozenCalls)
	}
	slow := (t.stop - feltFrom + t.each).Seconds() / (1/float64(frozenPerSec) - t.each.Seconds())
	return min(slow, float64(frozenCalls))
}

// response returns the response time of the k-th call that was due in the freeze, which came delta of a gap after its
// begin, and so of the k-th longest: where the backlog grows, no call is known to take less than the last.
func (t truth) response(k, delta float64) time.Duration {
	if t.growing() {
		k = float64(frozenCalls)
	}
	wait := t.stop.Seconds() - (k+delta)/frozenPerSec + (k+1)*t.each.Seconds()
	return time.Duration(wait * float64(time.Second))
}

// checkLags checks that waiting is put down to what caused it: a call on every slot was in flight, all others queued.
func checkLags(h histogramsByName, s shape) error {
	if hung := record.CountAbove(h["service"], feltFrom); hung > s.slots() {
		return fmt.Errorf("%d calls were in flight for over %v, on %d slots", hung, feltFrom, s.slots())
	}
	if late := record.CountAbove(h["wake"], feltFrom); late > 0 {
		return fmt.Errorf("%d calls have a wake over %v, where no slot was free: that is queue", late, feltFrom)
	}
	return nil
}
