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

// stopEarly ends a warm-up of an hour, and measures on the same connections; on the same streams where the pair has
// ping_pong.
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
		if _, err := r.stopWarmUp(client); err != nil {
			return "", err
		}
		before, err := client.Mark(r.ctx)
		if err != nil {
			return "", err
		}
		done, err := r.phase(client, closedCalls(countedCalls))
		if err != nil {
			return "", err
		}
		if err := wantOutcome(done, "OK", countedCalls); err != nil {
			return "", err
		}
		after, err := client.Mark(r.ctx)
		if err != nil {
			return "", err
		}
		if before.GetSockets() != after.GetSockets() {
			return "", fmt.Errorf("%d sockets after the warm-up, %d after the measured phase",
				before.GetSockets(), after.GetSockets())
		}
		return fmt.Sprintf("the same %d sockets afterwards", after.GetSockets()), nil
	}
}

// stopWarmUp begins an hour of warm-up and stops it at the third interval. It returns how long that took.
func (r *rig) stopWarmUp(client *party) (time.Duration, error) {
	begin := closedFor(time.Hour)
	begin.Phase = control.Warmup
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	var seen int
	var stopped time.Time
	var failed error
	done, err := r.watchedIn(ctx, client, begin, func(*control.Interval) {
		if seen++; seen == 3 {
			stopped = time.Now()
			failed = client.Stop()
			time.AfterFunc(r.patience, func() {
				cancel(fmt.Errorf("the warm-up went on for %v after Stop", r.patience))
			})
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return 0, err
	}
	took := time.Since(stopped)
	switch {
	case seen < 3:
		return 0, fmt.Errorf("the warm-up ended by itself after %v", time.Duration(done.GetElapsedNs()))
	case done.GetArrivals() == 0:
		return 0, errors.New("the warm-up made no calls")
	}
	return took, wantOutcome(done, "OK", done.GetArrivals())
}

// stopLateMost is what a phase may go on after Stop, when calls take next to nothing.
const stopLateMost = time.Second

// stopLate measures how long a phase goes on after Stop.
func stopLate(r *rig) (lateness, error) {
	client, _, err := r.both(unary(shape{2, 2}))
	if err != nil {
		return lateness{}, err
	}
	took, err := r.stopWarmUp(client)
	return lateness{took, "the end of a phase after Stop"}, err
}
