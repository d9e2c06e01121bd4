package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// fruitless bounds a measured phase that ends after a number of calls: how long none of them may be OK. A server that does
// not answer would draw it out by a deadline a call.
const fruitless = time.Minute

// run runs the measured phase between two Marks of each side, and profiles of them where they are asked for.
func (s *sides) run(ctx context.Context) error {
	if err := s.beginProfiles(ctx); err != nil {
		return err
	}
	before, err := s.mark(ctx, &s.evidence.Client.Begin, &s.evidence.Server.Begin)
	if err != nil {
		return err
	}
	var yield harvest
	cut := false
	endMeter := s.meter()
	done, err := s.phase(ctx, s.begin(control.Measured), func(interval *control.Interval) bool {
		s.evidence.Intervals = append(s.evidence.Intervals, intervalOf(interval))
		cut = s.spec.Calls > 0 && yield.isOver(interval)
		return cut
	})
	endMeter()
	if err != nil {
		return err
	}
	after, err := s.mark(ctx, &s.evidence.Client.End, &s.evidence.Server.End)
	if err != nil {
		return err
	}
	s.evidence.Relay = relayOf(before, after)
	if err := s.endProfiles(ctx); err != nil {
		return err
	}
	if cut {
		s.warnf("%d of %d calls were made, and then no more: none had been OK for %v", done.GetArrivals(), s.spec.Calls, fruitless)
	}
	return addDone(s.evidence, done)
}

// A harvest tells when a phase has been fruitless for too long.
type harvest struct{ lastOKNs int64 }

func (h *harvest) isOver(i *control.Interval) bool {
	if i.GetOk() > 0 {
		h.lastOKNs = i.GetEndNs()
	}
	return time.Duration(i.GetEndNs()-h.lastOKNs) > fruitless
}

// meter reads the host until end, however the phase goes. It stands between the Marks of the sides, so that what the
// sides are said to have used is at least their part of what the host did.
func (s *sides) meter() (end func()) {
	if s.Meter == nil {
		return func() {}
	}
	read := s.Meter.Begin()
	return func() { s.evidence.Host = new(read()) }
}

func (s *sides) begin(phase control.Phase) *control.Begin {
	load := &control.Load{Arrivals: s.spec.Load, PerSec: s.spec.OfferedPerSec, Seed: s.trialSeed()}
	if s.spec.Schedule != nil {
		for _, stage := range s.spec.Schedule.Stages {
			load.Stages = append(load.Stages, &control.Stage{From: stage.From, To: stage.To, LengthNs: stage.LengthNs})
		}
	}
	return &control.Begin{
		Phase: phase, DurationNs: s.spec.DurationNs, Calls: s.spec.Calls, DrainNs: s.spec.DrainNs,
		Windows: uint32(s.Windows),
		Load:    load,
	}
}

// phase runs a phase to its end. It is stopped when enough says so of an interval, and given up when the client falls
// silent. When it stalls, both sides are asked what they are doing, and it goes on.
func (s *sides) phase(
	ctx context.Context, begin *control.Begin, enough func(*control.Interval) bool,
) (*control.Done, error) {
	stall := s.watchStall(ctx, begin.GetPhase())
	defer stall.keep()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for _, other := range s.others() {
		go other.watch(ctx, cancel)
	}
	patience := s.Silence
	silence := time.AfterFunc(patience, func() { cancel(fmt.Errorf("it said nothing for %v", s.Silence)) })
	defer silence.Stop()
	stopped := false
	done, err := s.client.Begin(ctx, begin, func(interval *control.Interval) {
		if stall.see(interval) {
			patience = s.dumpPatience()
		}
		silence.Reset(patience)
		if watcher, ok := s.Progress.(Watcher); ok {
			watcher.Passed(s.trial, phaseName(begin.GetPhase()), intervalOf(interval))
		}
		if enough(interval) && !stopped {
			stopped = true
			_ = s.client.Stop() // a client that can't be told is gone, and Begin will say so
		}
	})
	var gone *sideError
	if errors.As(context.Cause(ctx), &gone) && errors.Is(gone, errWorkerEnded) {
		return nil, gone
	}
	return done, blame("client", err)
}

// errWorkerEnded is why a phase is given up when a server or the link is gone: the rest of its calls could but fail.
var errWorkerEnded = errors.New("the worker ended")

// watch gives the phase up when the process ends.
func (p namedProcess) watch(ctx context.Context, giveUp context.CancelCauseFunc) {
	select {
	case <-p.Ended():
		giveUp(blame(p.name, errWorkerEnded))
	case <-ctx.Done():
	}
}

func phaseName(phase control.Phase) string {
	if phase == control.Warmup {
		return result.PhaseWarmup
	}
	return result.PhaseMeasured
}
