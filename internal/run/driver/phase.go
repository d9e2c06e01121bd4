package driver

import (
	"context"
	"slices"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// run runs the measured phase between two Marks of each side, and profiles of them where they are asked for.
func (s *sides) run(ctx context.Context) error {
	if err := s.beginProfiles(ctx); err != nil {
		return err
	}
	before, err := s.mark(ctx, begins)
	if err != nil {
		return err
	}
	yields := s.harvests()
	cut := false
	endMeter := s.meter()
	done, err := s.phase(ctx, control.Measured, func(client int, interval *control.Interval) bool {
		record := &s.evidence.Clients[client].Record
		record.Intervals = append(record.Intervals, intervalOf(interval))
		over := yields[client].isOver(interval)
		cut = cut || over
		return over
	})
	endMeter()
	if err != nil {
		return err
	}
	if err := s.keep(done, cut); err != nil {
		return err
	}
	if s.evidence.Interrupted {
		return s.concludeSoon(ctx, before)
	}
	return s.conclude(context.WithoutCancel(ctx), before)
}

// conclude takes what sides and link have used.
func (s *sides) conclude(ctx context.Context, before *control.Snapshot) error {
	after, err := s.mark(ctx, ends)
	if err != nil {
		return err
	}
	s.evidence.Relay = relayOf(before, after)
	s.evidence.WireCountedAt = countedAt(s.evidence)
	return s.endProfiles(ctx)
}

// keep puts what the clients reported into the evidence.
func (s *sides) keep(done []*control.Done, cut bool) error {
	var arrivals int64
	for i, client := range s.clients {
		if err := addDone(&s.evidence.Clients[i].Record, done[i]); err != nil {
			return blame(client.name, err)
		}
		arrivals += done[i].GetArrivals()
	}
	s.measured = !s.evidence.Interrupted || slices.ContainsFunc(s.evidence.Clients, hasAnswer)
	if cut {
		s.evidence.Cut = &result.Cut{Made: arrivals, Calls: s.spec.Calls, FruitlessNs: int64(s.fruitlessMost())}
	}
	return nil
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

// begin makes one client's Begin. Each of several has the load of all, and its part.
func (s *sides) begin(phase control.Phase, client int) *control.Begin {
	load := &control.Load{Arrivals: s.spec.Load, PerSec: s.spec.OfferedPerSec, Seed: s.trialSeed()}
	if s.spec.Schedule != nil {
		for _, stage := range s.spec.Schedule.Stages {
			load.Stages = append(load.Stages, &control.Stage{From: stage.From, To: stage.To, LengthNs: stage.LengthNs})
		}
	}
	begin := &control.Begin{
		Phase: phase, DurationNs: s.spec.DurationNs, Calls: s.spec.Calls, DrainNs: s.spec.DrainNs,
		Windows: uint32(s.Windows),
		Load:    load,
	}
	if phase == control.Warmup && s.spec.Calls == 0 {
		begin.DurationNs = s.longestWarmUp()
	}
	if several := len(s.clients); several > 1 {
		load.Part, load.Parts = uint32(client), uint32(several)
		begin.IntervalHistograms = true
	}
	return begin
}
