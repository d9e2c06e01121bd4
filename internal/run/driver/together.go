package driver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// beginTogether is how long before the beginning of a phase several clients are told of it.
const beginTogether = 50 * time.Millisecond

// A together is a phase that all clients run at the same time.
type together struct {
	*sides
	whole     context.Context // of the trial: a dump may outlast the phase
	kind      control.Phase
	begin     func(client int) *control.Begin
	keepsPart bool      // when the trial is to end, so does the load, and what was measured by then is kept
	beginAt   time.Time // zero for a client that is alone, which begins at once
	enough    func(client int, interval *control.Interval) bool

	mu        sync.Mutex
	silence   time.Duration     // of a client, before it is given up
	silences  []*patience.Timer // that give a client up
	satisfied []bool            // clients that have run enough, or are through
	lulls     []lull
	begun     []time.Time     // the latest that a client can have begun; zero before its first interval
	still     *patience.Still // of this process
	lost      error           // the first client that was lost of several: the others are to end soon
}

// phase runs a phase to its end. It is stopped when enough returns true for an interval of every client. It is abandoned when a
// client falls silent or any process ends. When a client stalls, both sides are asked for a dump, and the phase goes on. When ctx
// ends, a measured phase is interrupted if its clients support that, and otherwise abandoned.
func (s *sides) phase(
	ctx context.Context, phase control.Phase, enough func(client int, interval *control.Interval) bool,
) ([]*control.Done, error) {
	return s.phaseOf(ctx, phase, func(client int) *control.Begin { return s.begin(phase, client) }, enough)
}

// phaseOf is phase with a separate Begin for each client.
func (s *sides) phaseOf(
	ctx context.Context, phase control.Phase, begin func(client int) *control.Begin,
	enough func(client int, interval *control.Interval) bool,
) ([]*control.Done, error) {
	n := len(s.clients)
	p := &together{
		sides: s, whole: ctx, kind: phase, keepsPart: phase == control.Measured && s.interruptible(),
		begin: begin, enough: enough, silence: s.Silence,
		silences: make([]*patience.Timer, n), satisfied: make([]bool, n), begun: make([]time.Time, n),
		lulls: make([]lull, n),
	}
	if n > 1 {
		p.beginAt = s.Now().Add(beginTogether + reading(begin(0)) + slices.Max(append(s.trips, 0)))
	}
	p.still = patience.Watch(s.Now)
	defer p.keepStill()
	ctx, cancel := context.WithCancelCause(p.untilGivenUp())
	defer cancel(nil)
	defer p.giveUpInterrupted(cancel)()
	for _, other := range s.others() {
		go other.watch(ctx, cancel)
	}
	done := make([]*control.Done, n)
	var running sync.WaitGroup
	for i, client := range s.clients {
		running.Go(func() {
			var err error
			done[i], err = p.runClient(ctx, i)
			switch {
			case err == nil:
			case p.spares(ctx, err):
				p.lose(i, err)
			default:
				cancel(blame(client.name, err)) // the first holds
			}
		})
	}
	running.Wait()
	s.mute = s.muteFor(p.lulls)
	if phase == control.Measured {
		p.keepBegins()
	}
	return done, cmp.Or(context.Cause(ctx), p.lost)
}

// spares reports whether measurements of one client are kept although another is lost.
func (p *together) spares(ctx context.Context, err error) bool {
	return p.keepsPart && len(p.clients) > 1 && lost(err) && ctx.Err() == nil
}

// lose notes that a client is lost. The driver no longer waits for it.
func (p *together) lose(i int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.satisfied[i] = true
	if p.lost == nil {
		p.lost = &result.FailureError{Code: result.FailureClientLost, Err: blame(p.clients[i].name, err)}
	}
}

// hasLost reports whether a client is lost.
func (p *together) hasLost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost != nil
}

// runClient runs the phase of one client.
func (p *together) runClient(ctx context.Context, i int) (*control.Done, error) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	stall := p.watchStall(p.whole, p.kind, i)
	defer stall.keep()
	client := p.clients[i]
	begin := p.begin(i)
	silence := patience.AfterFunc(p.Now, p.Silence+slowly*reading(begin), func() {
		giveUp(fmt.Errorf("it said nothing for %v", p.Silence))
	})
	defer silence.Stop()
	p.mu.Lock()
	p.silences[i] = silence
	p.mu.Unlock()
	if !p.beginAt.IsZero() {
		begin.DelayNs = max((p.beginAt.Sub(p.Now()) - p.wayTo(i)).Nanoseconds(), 0)
	}
	ending := &ending{ctx: ctx, client: client}
	due := p.dueEnd(begin, ending, giveUp)
	defer due.end()
	done, err := client.Begin(ctx, begin, func(interval *control.Interval) {
		over := p.see(i, interval, stall)
		switch {
		case p.keepsPart && (p.whole.Err() != nil || p.hasLost()):
			ending.interrupt()
		case over:
			ending.stop()
		}
		due.see(interval)
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.satisfied[i] = true
	p.evidence.Interrupted = p.evidence.Interrupted || ending.interrupted && p.whole.Err() != nil
	return done, err
}

// see takes a client's next interval, and reports whether the phase is to end.
func (p *together) see(i int, interval *control.Interval, stall *stallGuard) (over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still.Look()
	p.noteBegin(i, interval)
	p.lulls[i].see(interval)
	if stall.see(interval, p.readLate(i, interval)) {
		p.silence = p.dumpPatience()
		for _, silence := range p.silences {
			if silence != nil {
				silence.Reset(p.silence)
			}
		}
	}
	p.silences[i].Reset(p.silence)
	if watcher, ok := p.Progress.(Watcher); ok {
		watcher.Passed(p.trial, phaseName(p.kind), i, intervalOf(interval))
	}
	p.satisfied[i] = p.enough(i, interval) || p.satisfied[i]
	return !slices.Contains(p.satisfied, false)
}

// noteBegin notes when a client began. An interval was sent when it ended, so that the client can't have begun later than that
// long before it came. The way that it took is known as far as the round trip is.
func (p *together) noteBegin(i int, interval *control.Interval) {
	latest := p.Now().Add(-time.Duration(interval.GetEndNs()) - p.wayTo(i))
	if p.begun[i].IsZero() || latest.Before(p.begun[i]) {
		p.begun[i] = latest
	}
}

// readLate reports whether this process was stopped during a client's interval. A client that is not read delays its next
// interval.
func (p *together) readLate(i int, interval *control.Interval) bool {
	at := func(ns int64) time.Time { return p.begun[i].Add(time.Duration(ns)) }
	return p.still.Within(at(interval.GetStartNs()), at(interval.GetEndNs()))
}

// keepStill adds a warning if this process was stopped during the phase.
func (p *together) keepStill() {
	if still := p.still.End(); still > 0 {
		p.warnf(result.WarningStoodStill, "rpcbench itself was paused for about %.0f s of the %s phase: it was stopped, or the "+
			"machine was. The workers may have gone on", still.Seconds(), phaseName(p.kind))
	}
}

// keepBegins puts into the evidence how much later than the first each client began.
func (p *together) keepBegins() {
	if p.beginAt.IsZero() {
		return
	}
	first := slices.MinFunc(p.begun, time.Time.Compare)
	for i, begun := range p.begun {
		if !first.IsZero() {
			p.evidence.Clients[i].BegunNs = begun.Sub(first).Nanoseconds()
		}
	}
}

// watch gives the phase up when the process, a server or the link, ends: the rest of its calls could but fail.
func (p namedProcess) watch(ctx context.Context, giveUp context.CancelCauseFunc) {
	select {
	case <-p.Ended():
		giveUp(blame(p.name, p.End(ctx)))
	case <-ctx.Done():
	}
}

func phaseName(phase control.Phase) string {
	if phase == control.Warmup {
		return result.PhaseWarmup
	}
	return result.PhaseMeasured
}
