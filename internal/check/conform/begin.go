package conform

import (
	"context"
	"fmt"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

const (
	// The delay of a begin, longer if messages are slow: a worker that began at once would otherwise go unnoticed if its Done
	// takes as long as the delay.
	beginDelay    = 300 * time.Millisecond
	beginDelays   = 10 // of what passed beside a phase that was not delayed
	beginDelayMax = 30 * time.Second
	// stopAgain is the interval of stopping a phase that has not begun: the first Stop may precede its Begin.
	stopAgain = 10 * time.Millisecond
)

// delayed checks that a phase begins no earlier than requested, counts its times from then, and makes no call if it is stopped
// before.
func delayed(r *rig) (string, error) { return delayedBy(r, beginDelay) }

func delayedBy(r *rig, least time.Duration) (string, error) {
	client, _, err := r.tried(unary(shape{1, 2}))
	if err != nil {
		return "", err
	}
	once, err := r.timed(client, 0)
	if err != nil {
		return "", err
	}
	delay := max(least, min(beginDelays*once.beside(), beginDelayMax))
	phase, err := r.timed(client, delay)
	switch {
	case err != nil:
		return "", err
	case phase.took < delay:
		return "", fmt.Errorf("the phase was over %v after its Begin, and should have begun after %v", phase.took, delay)
	case phase.beside() < delay:
		return "", fmt.Errorf("the phase says that it lasted %v, of which the delay is no part: %v after its Begin it was over",
			phase.told, phase.took)
	}
	return "no call of a phase that was stopped before", r.stopDelayed(client)
}

// A lasted is the duration of a phase, as measured here and as reported by the worker.
type lasted struct{ took, told time.Duration }

// beside returns the time between a Begin and its Done outside the phase: its delay, and all messages.
func (l lasted) beside() time.Duration { return l.took - l.told }

func (r *rig) timed(client *party, delay time.Duration) (lasted, error) {
	begin := closedCalls(countedCalls)
	begin.DelayNs = int64(delay)
	var l lasted
	sent := time.Now()
	done, err := r.watched(client, begin, func(i *control.Interval) { l.told = time.Duration(i.GetEndNs()) })
	l.took = time.Since(sent)
	if err == nil {
		err = wantOutcome(done, "OK", countedCalls)
	}
	return l, err
}

// stopDelayed stops a phase long before it would begin.
func (r *rig) stopDelayed(client *party) error {
	begin := closedCalls(countedCalls)
	begin.DelayNs = int64(time.Hour)
	ctx, cancel := context.WithTimeoutCause(r.ctx, r.patience,
		fmt.Errorf("a phase that had not begun went on for %v after Stop", r.patience))
	defer cancel()
	go func() {
		for client.Stop(ctx) == nil && patience.Pause(ctx, stopAgain) == nil {
		}
	}()
	done, err := r.watchedIn(ctx, client, begin, func(*control.Interval) {})
	if err == nil && done.GetArrivals() != 0 {
		err = fmt.Errorf("a phase that was stopped before it began made %d calls", done.GetArrivals())
	}
	return err
}

// parts checks that the parts of a load add up to it.
func parts(r *rig) (string, error) {
	const perSec, callsClosed = 101, 7 // which can't be divided by two
	client, _, err := r.tried(unary(shape{1, 4}))
	if err != nil {
		return "", err
	}
	poisson := func() *control.Begin { return openFor(control.LoadPoisson, poissonPerSec, poissonWindow) }
	for _, load := range []struct {
		made  func() *control.Begin
		calls int
	}{
		{func() *control.Begin { return openFor(control.LoadConstant, perSec, rateWindow) }, perSec},
		{poisson, poissonDue(poisson())},
		{func() *control.Begin { return closedCalls(callsClosed) }, callsClosed},
	} {
		for part, calls := range []int{(load.calls + 1) / 2, load.calls / 2} {
			begin := load.made()
			begin.Load.Part, begin.Load.Parts = uint32(part), 2
			done, err := r.phase(client, begin)
			if err == nil {
				err = wantOutcome(done, "OK", int64(calls))
			}
			if err != nil {
				return "", fmt.Errorf("part %d of 2 of a load that is %s: %w", part, begin.GetLoad().GetArrivals(), err)
			}
		}
	}
	return "closed, constant and poisson, in two parts", nil
}

// stages checks that a load changes as it should, or that a worker whose loads can't change refuses to.
func stages(r *rig) (string, error) {
	client, _, err := r.tried(unary(shape{1, 4}))
	if err != nil {
		return "", err
	}
	const half = rateWindow / 2
	begin := openFor(control.LoadConstant, 2*constantPerSec, rateWindow)
	begin.Load.Stages = []*control.Stage{
		{From: constantPerSec, To: constantPerSec, LengthNs: int64(half)},
		{From: 3 * constantPerSec, To: 3 * constantPerSec, LengthNs: int64(half)},
	}
	done, err := r.phase(client, begin)
	if !client.Hello.GetStages() {
		return "hello.stages is false", wantFault(err, "begin.load.stages")
	}
	if err != nil {
		return "", err
	}
	var windows []time.Duration
	for _, w := range done.GetWindows() {
		windows = append(windows, time.Duration(w.GetEndNs()))
	}
	return fmt.Sprintf("windows end at %v", windows), wantOutcome(done, "OK", 2*constantPerSec)
}
