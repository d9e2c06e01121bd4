package driver

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
)

// A pool has the processes that wait for the next trial that may go on with them, with their connections and compiled code. Those
// whose clients begin anew wait for any trial with their Processes, others for one of their Point.
type pool struct {
	last map[string]string // trial that may go on with processes, its ID by its Point and by its Processes
	idle map[string]*sides // by Point or Processes

	silence time.Duration // how long an idle process may take to answer
}

func newPool(config Config) pool {
	p := pool{last: map[string]string{}, idle: map[string]*sides{}, silence: config.Silence}
	for _, trial := range config.Trials {
		if trial.Reuse {
			p.last[trial.Point()], p.last[trial.Processes()] = trial.ID, trial.ID
		}
	}
	return p
}

// take returns the processes that wait for a trial, or nil. Where one of them does not answer, all are ended.
func (p pool) take(ctx context.Context, trial plan.Trial) *sides {
	for _, key := range []string{trial.Point(), trial.Processes()} {
		s := p.idle[key]
		delete(p.idle, key)
		switch {
		case s == nil:
		case slices.ContainsFunc(s.all(), func(process namedProcess) bool { return p.isGone(ctx, process) }):
			_ = s.close(true) // no trial is theirs
		default:
			return s
		}
	}
	return nil
}

// isGone reports whether a process has ended, or is frozen.
func (p pool) isGone(ctx context.Context, process namedProcess) bool {
	within, over := context.WithTimeout(ctx, p.silence)
	defer over()
	_, err := process.Mark(within)
	return err != nil
}

// keep takes the processes of a trial, if another one that may go on with them is to come and this one went well.
func (p pool) keep(s *sides) bool {
	key := s.shared()
	last, reused := p.last[key]
	if !reused || last == s.trial.ID || !s.isReusable() {
		return false
	}
	p.idle[key] = s
	return true
}

// shared returns what trials have in common that may go on with the processes.
func (s *sides) shared() string {
	if slices.ContainsFunc(s.clients, func(p namedProcess) bool { return !p.Hello.GetReconnects() }) {
		return s.trial.Point()
	}
	return s.trial.Processes()
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
	return &sides{
		driver:        d,
		sideProcesses: sideProcesses{layout: launch.DrawLayout(d.Seed, trial.ID), rows: map[string]*result.Compilers{}},
		sideTrial:     d.trialOf(trial, evidence),
	}
}

// trialOf is what a trial begins with.
func (d *driver) trialOf(trial plan.Trial, evidence *result.Trial) sideTrial {
	return sideTrial{trial: trial, spec: trial.Spec, foreign: d.foreignOf(trial), evidence: evidence}
}

func (d *driver) foreignOf(trial plan.Trial) (f Foreign) {
	if d.Foreign != nil {
		f = d.Foreign(trial)
	}
	return f
}

// goOn makes the processes those of another trial, of their Spec or of one that shares them. Only the same Spec's clients are as
// they were.
func (s *sides) goOn(trial plan.Trial, evidence *result.Trial) {
	before := s.evidence
	evidence.ProcessesOf, evidence.Compilers = cmp.Or(before.ProcessesOf, before.ID), s.rows[trial.Point()]
	s.sideTrial = s.trialOf(trial, evidence)
	rows := len(s.rows)
	if s.isFirstOfRow() {
		rows++
	}
	if rows > 1 {
		evidence.ProcessRows = rows
	}
	s.describe()
	for i := range evidence.Clients {
		evidence.Clients[i].Codec, evidence.Clients[i].RoundTripNs = before.Clients[i].Codec, before.Clients[i].RoundTripNs
	}
}

// isFirstOfRow reports whether the processes have served no trial of the row yet.
func (s *sides) isFirstOfRow() bool {
	_, served := s.rows[s.trial.Point()]
	return !served
}

// forgetFirst removes the first calls on connections that were opened anew: others, in processes that were new, were colder.
func forgetFirst(evidence *result.Trial) {
	for i := range evidence.Clients {
		evidence.Clients[i].First = nil
	}
}
