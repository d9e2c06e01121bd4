package driver

import (
	"context"
	"fmt"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// A lull is how long no call of a client has been OK, though some were due, at the end of a phase.
type lull struct {
	since, until int64 // since the phase began, in ns
	free, idle   bool  // at the end of the last interval nothing was in flight; in all of it, which matters if another one follows
}

// see takes the next interval.
func (l *lull) see(i *control.Interval) {
	if l.idle {
		l.since = i.GetStartNs()
	}
	if i.GetOk() > 0 {
		l.since = i.GetEndNs()
	}
	isFree := i.GetInFlight() == 0
	l.idle = l.free && isFree && i.GetErrors() == 0 // a call that has just ended may be counted in the next interval
	l.free, l.until = isFree, i.GetEndNs()
}

// minMute is the minimum length of a lull after which the servers' processes are taken to be mute.
const minMute = time.Second

// muteFor returns how long no call of any client had been OK at the end of a phase; 0 if that is less than the servers were given
// for an answer. Such a server hangs or is frozen, and so may be its process.
func (s *sides) muteFor(lulls []lull) time.Duration {
	shortest := time.Duration(lulls[0].until - lulls[0].since)
	for _, l := range lulls[1:] {
		shortest = min(shortest, time.Duration(l.until-l.since))
	}
	if shortest < max(min(time.Duration(s.spec.DeadlineNs), time.Duration(s.spec.DrainNs)), minMute) {
		return 0
	}
	return shortest
}

// markServing is markOne of a process that calls go to.
func (s *sides) markServing(ctx context.Context, process namedProcess, place **result.Snapshot) error {
	return s.unlessMute(ctx, func(ctx context.Context) error { return markOne(ctx, process, place) })
}

// markRelay returns a snapshot of the relay, which calls go through; nil where there is no link.
func (s *sides) markRelay(ctx context.Context) (taken *control.Snapshot, err error) {
	if s.relay.Worker == nil {
		return nil, nil
	}
	err = s.unlessMute(ctx, func(ctx context.Context) (err error) {
		taken, err = s.relay.Mark(ctx)
		return blame(s.relay.name, err)
	})
	return taken, err
}

// unlessMute asks a process that calls go to or through. One that is mute gets as long as a call did, or as a client may be
// silent, instead of the patience for processes that have little time to run.
func (s *sides) unlessMute(ctx context.Context, ask func(context.Context) error) error {
	if s.mute == 0 {
		return ask(ctx)
	}
	ctx, cancel := patience.WithTimeout(ctx, max(s.Silence, time.Duration(s.spec.DeadlineNs)))
	defer cancel()
	if err := ask(ctx); err != nil {
		return fmt.Errorf("%w, after %v in which no call was OK", err, s.mute.Round(100*time.Millisecond))
	}
	return nil
}
