package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// run runs the measured phase between two Marks of each side, with profiles if requested.
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
	kept, uses := s.newCourse(), s.newUseWatch()
	endWatch, err := s.watchHosts(ctx)
	if err != nil {
		return err
	}
	endUses := uses.begin(ctx, time.Duration(s.spec.DurationNs))
	done, err := s.phase(ctx, control.Measured, func(client int, interval *control.Interval) bool {
		kept.keep(client, interval)
		uses.see(interval)
		over := yields[client].isOver(interval)
		cut = cut || over
		return over
	})
	endUses()
	endWatch(uses.begun)
	if kept.isTooLong() {
		s.warnf(result.WarningCutCourse, "%s", kept.tooLong())
	}
	if err != nil {
		return errors.Join(err, s.keepOthers(done))
	}
	if err := s.keep(done, cut); err != nil {
		return err
	}
	if s.evidence.Interrupted {
		return s.concludeSoon(ctx, before, uses)
	}
	return s.conclude(context.WithoutCancel(ctx), before, uses)
}

// conclude reads what the sides and the link have used.
func (s *sides) conclude(ctx context.Context, before *control.Snapshot, uses *useWatch) error {
	after, err := s.mark(ctx, ends)
	if err != nil {
		return err
	}
	uses.keep()
	if after != nil {
		s.evidence.Relay = relayOf(s.relay.Host().ID, before, after)
	}
	s.evidence.WireCountedAt = countedAt(s.evidence)
	return s.endProfiles(ctx)
}

// keepOthers stores what the remaining clients measured when one is lost.
func (s *sides) keepOthers(done []*control.Done) error {
	for i := range s.clients {
		if done[i] == nil {
			continue
		}
		if err := addDone(&s.evidence.Clients[i].Record, done[i]); err != nil {
			return blame(s.clients[i].name, err)
		}
	}
	return nil
}

// keep adds the clients' reports to the evidence.
func (s *sides) keep(done []*control.Done, cut bool) error {
	var arrivals int64
	for i, client := range s.clients {
		if err := addDone(&s.evidence.Clients[i].Record, done[i]); err != nil {
			return blame(client.name, err)
		}
		if err := checkMixed(s.spec, &s.evidence.Clients[i].Record); err != nil {
			return blame(client.name, err)
		}
		arrivals += done[i].GetArrivals()
	}
	s.measured = !s.evidence.Interrupted || slices.ContainsFunc(s.evidence.Clients, hasAnswer)
	if cut {
		s.evidence.Cut = &result.Cut{Made: arrivals, Calls: s.spec.Calls, FruitlessNs: int64(s.maxFruitless())}
	}
	return nil
}

// checkMixed refuses a report that has not the calls of the mix.
func checkMixed(spec plan.Spec, r *result.Record) error {
	want := 0
	if spec.Method != nil {
		want = len(spec.Method.Mix)
	}
	if got := len(r.Mixed); got != want {
		return fmt.Errorf("it has reported %d calls of a mix of %d", got, want)
	}
	return nil
}

// windows returns how many windows a client keeps itself: none if the driver keeps each second.
func (s *sides) windows() uint32 {
	if s.Seconds {
		return 0
	}
	return uint32(s.Windows)
}

// Intervals of a measured phase. One of less than 10 s is read every 50 ms, and one of less than 2.5 s in 50 intervals: 100 are
// plenty to find changes, and 40 suffice (see stat.Stationary). Below 5 ms the reading itself would show.
const (
	usualIntervalNs  = int64(100 * time.Millisecond) // unless told otherwise
	shortPhaseNs     = int64(10 * time.Second)
	shortIntervalNs  = int64(50 * time.Millisecond)
	leastIntervalNs  = int64(5 * time.Millisecond)
	intervalsOfShort = 50
)

// intervalNs returns the length of the intervals of a measured phase; 0 is the usual length. If it ends after a number of calls,
// the rate of the warm-up determines its duration. Half of that is used, because a cold client is slower.
func intervalNs(spec plan.Spec, perSec float64) int64 {
	lasts := spec.DurationNs
	if spec.Calls > 0 {
		lasts = shortPhaseNs
		if perSec > 0 {
			lasts = int64(min(1e9*float64(spec.Calls)/perSec/2, float64(shortPhaseNs)))
		}
	}
	if lasts >= shortPhaseNs {
		return 0
	}
	return min(max(lasts/intervalsOfShort, leastIntervalNs), shortIntervalNs)
}

// countedWarmUpNs returns the length of the intervals of a warm-up before a number of calls; 0 is the usual length. The driver
// ends such a warm-up with an interval, so the last ends with the warm-up. They are as long as possible, up to the usual length.
func countedWarmUpNs(longest int64) int64 {
	if longest%usualIntervalNs == 0 {
		return 0
	}
	intervals := longest/usualIntervalNs + 1
	return max((longest+intervals-1)/intervals, leastIntervalNs)
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
		Load: load,
	}
	switch {
	case phase != control.Warmup:
	case s.spec.Calls == 0:
		begin.DurationNs = s.longestWarmUp()
	default:
		begin.IntervalNs = countedWarmUpNs(s.longestWarmUp())
	}
	if several := len(s.clients); several > 1 {
		load.Part, load.Parts = uint32(client), uint32(several)
	}
	if phase == control.Measured {
		s.askForCourse(begin)
	}
	return begin
}

// askForCourse requests what a measured phase reports while it runs.
func (s *sides) askForCourse(begin *control.Begin) {
	begin.IntervalNs = intervalNs(s.spec, s.perSec)
	begin.IntervalHistograms = s.Seconds || len(s.clients) > 1
	begin.Windows = s.windows()
}
