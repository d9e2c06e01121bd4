package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// stopEarly ends a warm-up of an hour, and measures on the same connections, on the same streams where the pair has ping_pong. It
// does so once more, as a trial does that reuses the processes of another.
func stopEarly(p pair) func(r *rig) (string, error) {
	s := unary(shape{2, 2})
	if slices.Contains(p.kinds, stack.KindPingPong) {
		s.call.Kind, s.streams = stack.KindPingPong, 1
	}
	return func(r *rig) (string, error) {
		client, _, err := r.both(s)
		if err != nil {
			return "", err
		}
		if err := r.countWarm(client); err != nil {
			return "", err
		}
		before, err := client.Mark(r.ctx)
		if err != nil {
			return "", err
		}
		if err := r.countWarm(client); err != nil {
			return "", fmt.Errorf("once more: %w", err)
		}
		after, err := client.Mark(r.ctx)
		if err != nil {
			return "", err
		}
		if before.GetSockets() != after.GetSockets() {
			return "", fmt.Errorf("%d sockets after the measured phase, %d after another one",
				before.GetSockets(), after.GetSockets())
		}
		return fmt.Sprintf("the same %d sockets afterwards", after.GetSockets()), nil
	}
}

// countWarm stops a warm-up, and counts the calls of the measured phase after it.
func (r *rig) countWarm(client *party) error {
	if _, err := r.stopWarmUp(client); err != nil {
		return err
	}
	done, err := r.phase(client, closedCalls(countedCalls))
	if err != nil {
		return err
	}
	return wantOutcome(done, "OK", countedCalls)
}

// stopWarmUp begins an hour of warm-up and stops it at the third interval. It returns how long that took.
func (r *rig) stopWarmUp(client *party) (time.Duration, error) {
	begin := closedFor(time.Hour)
	begin.Phase = control.Warmup
	done, took, err := r.stopped(client, begin, 0, func() error { return client.Stop(r.ctx) })
	switch {
	case err != nil:
		return 0, err
	case done.GetArrivals() == 0:
		return 0, errors.New("the warm-up made no calls")
	}
	return took, wantOutcome(done, "OK", done.GetArrivals())
}

// stopped begins a phase that is long, and stops it at the third interval, after which it may drain. It returns how long
// that took.
func (r *rig) stopped(
	client *party, begin *control.Begin, drain time.Duration, stop func() error,
) (*control.Done, time.Duration, error) {
	name := "measured phase"
	if begin.GetPhase() == control.Warmup {
		name = "warm-up"
	}
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	var seen int
	var told time.Time
	var failed error
	done, err := r.watchedIn(ctx, client, begin, func(*control.Interval) {
		if seen++; seen == 3 {
			told = time.Now()
			failed = stop()
			time.AfterFunc(drain+r.patience, func() {
				cancel(fmt.Errorf("the %s went on for %v after Stop", name, r.patience))
			})
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return nil, 0, err
	}
	if seen < 3 {
		return nil, 0, fmt.Errorf("the %s ended by itself after %v", name, time.Duration(done.GetElapsedNs()))
	}
	return done, time.Since(told), nil
}

// maxStopLateness is how long a phase may go on after Stop if calls take almost no time.
const maxStopLateness = time.Second

// stopLate measures how long a phase goes on after Stop.
func stopLate(r *rig) (lateness, error) {
	client, _, err := r.both(unary(shape{2, 2}))
	if err != nil {
		return lateness{}, err
	}
	took, err := r.stopWarmUp(client)
	return lateness{took, "the end of a phase after Stop"}, err
}
