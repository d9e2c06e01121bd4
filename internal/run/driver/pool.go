package driver

import (
	"cmp"
	"context"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
)

// A pool has the processes that wait for the next trial of their Spec, with their connections and compiled code.
type pool struct {
	last map[string]string // trial of a Spec that may reuse processes, its ID by its Point
	idle map[string]*sides // by Point
}

func newPool(config Config) pool {
	p := pool{last: map[string]string{}, idle: map[string]*sides{}}
	for _, trial := range config.Trials {
		if trial.Reuse {
			p.last[trial.Point()] = trial.ID
		}
	}
	return p
}

// take returns the processes that wait for a trial, or nil. Where one of them does not answer, all are ended.
func (p pool) take(ctx context.Context, trial plan.Trial) *sides {
	point := trial.Point()
	s := p.idle[point]
	delete(p.idle, point)
	if s != nil && slices.ContainsFunc(s.all(), func(p namedProcess) bool { return isGone(ctx, p) }) {
		_ = s.close(true) // no trial is theirs
		return nil
	}
	return s
}

func isGone(ctx context.Context, p namedProcess) bool {
	_, err := p.Mark(ctx)
	return err != nil
}

// keep takes the processes of a trial, if another one of its Spec is to come and this one went well.
func (p pool) keep(s *sides) bool {
	point := s.trial.Point()
	last, reused := p.last[point]
	if !reused || last == s.trial.ID || !s.isReusable() {
		return false
	}
	p.idle[point] = s
	return true
}

// end ends the processes whose next trial never came: the run ended before.
func (p pool) end() {
	for _, s := range p.idle {
		_ = s.close(true) // their trials are in the results
	}
}

// isReusable reports whether nothing of the trial is left in its processes that another one could feel. A client that was paused,
// by the machine, goes on as before.
func (s *sides) isReusable() bool {
	lasting := func(o result.Outcome) bool { return o.Code == result.CodeUnfinished && o.Calls > 0 }
	disturbed := func(c result.Client) bool {
		return c.Stalled != nil && !c.Stalled.Client || slices.ContainsFunc(c.Outcomes, lasting)
	}
	return judge(*s.evidence) == nil && !s.evidence.Interrupted && s.evidence.Cut == nil &&
		!slices.ContainsFunc(s.evidence.Clients, disturbed)
}

// sidesOf returns the sides of a trial: those of an earlier one, or others, whose processes are to be started.
func (d *driver) sidesOf(ctx context.Context, trial plan.Trial, evidence *result.Trial) *sides {
	if s := d.pool.take(ctx, trial); s != nil {
		s.goOn(trial, evidence)
		return s
	}
	s := &sides{driver: d, trial: trial, spec: trial.Spec, layout: launch.DrawLayout(d.Seed, trial.ID), evidence: evidence}
	if d.Foreign != nil {
		s.foreign = d.Foreign(trial)
	}
	return s
}

// goOn makes the processes those of another trial of their Spec.
func (s *sides) goOn(trial plan.Trial, evidence *result.Trial) {
	before := s.evidence
	evidence.ProcessesOf, evidence.Compilers = cmp.Or(before.ProcessesOf, before.ID), before.Compilers
	s.trial, s.evidence = trial, evidence
	s.profiled, s.dumped, s.measured, s.perSec = nil, false, false, 0
	s.describe()
	for i := range evidence.Clients {
		evidence.Clients[i].Codec, evidence.Clients[i].RoundTripNs = before.Clients[i].Codec, before.Clients[i].RoundTripNs
	}
}
