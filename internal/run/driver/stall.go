package driver

import (
	"context"
	"errors"
	"sync"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/meter"
	"rpcbench/internal/worker/patience"
)

// heapPatience is the additional time for a worker that dumps its heap, and is silent meanwhile: the runtime stops for about a
// second per gigabyte.
const heapPatience = time.Minute

// overdue is the part of the deadline after which a call that fails is taken to have been canceled for it.
const overdue = 0.9

// A stallWatch reads a phase's intervals for a time in which calls are in flight and none is completed. A call that
// its deadline ended has completed nothing: with a deadline no longer than the limit no stall would ever be seen
// otherwise.
type stallWatch struct {
	limit, deadline int64 // in ns
	progressed      int64 // when a call was last completed, or none was in flight; since the phase began, in ns
	stalled         *result.Stalled
	over            bool // calls are completed again
}

// see takes the next interval. It returns true for the one in which the limit is reached, once.
func (w *stallWatch) see(i *control.Interval) (found bool) {
	idle := i.GetEndNs() - w.progressed
	failed := i.GetErrors() > 0 && float64(idle) < overdue*float64(w.deadline)
	progress := i.GetOk() > 0 || failed || i.GetInFlight() == 0
	switch {
	case w.over:
		return false
	case w.stalled != nil:
		w.over = progress
	case progress:
		w.progressed = i.GetEndNs()
		return false
	case idle >= w.limit:
		w.stalled, found = &result.Stalled{SinceNs: w.progressed}, true
	default:
		return false
	}
	w.stalled.DurationNs = idle
	return found
}

// stoodStill takes the next interval before see does, and reports whether the client stopped making progress in it. Calls may
// have completed at either end of it.
func (w *stallWatch) stoodStill(i *control.Interval) bool {
	lasted := i.GetEndNs() - i.GetStartNs()
	if w.stalled != nil || lasted < meter.Standstill.Nanoseconds() {
		return false
	}
	w.stalled, w.over = &result.Stalled{SinceNs: i.GetStartNs(), DurationNs: lasted, Client: true}, true
	return true
}

// A stallGuard watches one phase of a client, and has both sides dump when it stalls.
type stallGuard struct {
	*sides
	ctx    context.Context // of the trial: a dump may outlast the phase
	phase  string
	record *result.Record // the client's
	watch  *stallWatch    // nil where nothing is watched: a client stalls once
	dumps  <-chan []dumped
}

func (s *sides) watchStall(ctx context.Context, phase control.Phase, client int) *stallGuard {
	g := &stallGuard{sides: s, ctx: ctx, phase: phaseName(phase), record: &s.evidence.Clients[client].Record}
	if g.record.Stalled == nil {
		g.watch = &stallWatch{limit: int64(s.stallAfter()), deadline: s.spec.DeadlineNs}
	}
	return g
}

// stallAfter returns how long no call may complete. By default, calls within their deadline are no stall. Calls of encode or
// decode, and calls whose messages have a rate, take as long as configured.
func (s *sides) stallAfter() time.Duration {
	limit := s.Stall
	if limit == 0 {
		limit = max(DefaultStall, time.Duration(s.spec.DeadlineNs))
	}
	return max(limit+s.spec.CallLeast(), time.Duration(2*s.spec.SampleNs))
}

// see takes the next interval and reports whether dumps have begun. A trial has them once, whichever client stalls. An
// interval that was read late may be long because of that.
func (g *stallGuard) see(i *control.Interval, late bool) bool {
	if g.watch == nil {
		return false
	}
	still := g.phase == result.PhaseMeasured && !late && g.watch.stoodStill(i)
	if !still && !g.watch.see(i) {
		return false
	}
	g.watch.stalled.Phase = g.phase
	g.record.Stalled = g.watch.stalled
	if g.Evidence == "" || still || g.dumped { // one that stood still is over it, and a dump would show nothing
		return false
	}
	g.dumped = true
	g.dumps = g.dump(g.ctx)
	return true
}

// keep waits for the dumps and notes them.
func (g *stallGuard) keep() {
	if g.dumps == nil {
		return
	}
	for _, d := range <-g.dumps {
		g.evidence.Evidence = append(g.evidence.Evidence, d.names...)
		if d.err != nil {
			g.warnf(result.WarningCutDump, "no whole dump of the %s: %v", d.side, d.err)
		}
	}
}

// dumped is the result of a side's dump.
type dumped struct {
	names []string
	side  string
	err   error
}

// dump asks both sides at once. It is over within patience: a side that can't answer by then is left behind.
func (s *sides) dump(ctx context.Context) <-chan []dumped {
	ctx, cancel := patience.WithTimeout(ctx, s.dumpPatience())
	both := s.both()
	got := make([]dumped, len(both))
	var asking sync.WaitGroup
	for i, side := range both {
		asking.Go(func() {
			kept := s.newStore(side.stem)
			err := side.Dump(ctx, s.HeapDumps, kept.keep)
			got[i] = dumped{side: side.name, err: errors.Join(err, kept.close()), names: kept.names}
		})
	}
	all := make(chan []dumped, 1)
	go func() {
		defer cancel()
		asking.Wait()
		all <- got
	}()
	return all
}

// dumpPatience is how long a worker may take to dump, and be silent meanwhile.
func (s *sides) dumpPatience() time.Duration {
	if s.HeapDumps {
		return s.Silence + heapPatience
	}
	return s.Silence
}
