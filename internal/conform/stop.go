package conform

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/stack"
)

// stopPatience is how long a phase may go on after Stop, when calls take next to nothing.
const stopPatience = 2 * time.Second

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
		took, err := r.stopWarmUp(client)
		if err != nil {
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
		return fmt.Sprintf("%v after Stop, the same %d sockets", took.Round(time.Millisecond), after.GetSockets()), nil
	}
}

// stopWarmUp begins an hour of warm-up and stops it at the third interval. It returns how long that took.
func (r *rig) stopWarmUp(client *child) (time.Duration, error) {
	begin := closedFor(time.Hour)
	begin.Phase = control.Warmup
	var seen int
	var stopped time.Time
	var failed error
	done, err := r.watched(client, begin, func(*control.Interval) {
		if seen++; seen == 3 {
			stopped = time.Now()
			failed = client.Stop()
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return 0, err
	}
	took := time.Since(stopped)
	switch {
	case seen < 3:
		return 0, fmt.Errorf("the warm-up ended by itself after %v", time.Duration(done.GetElapsedNs()))
	case took > stopPatience:
		return 0, fmt.Errorf("the warm-up ended %v after Stop", took)
	case done.GetArrivals() == 0:
		return 0, errors.New("the warm-up made no calls")
	}
	return took, wantOutcome(done, "OK", done.GetArrivals())
}
