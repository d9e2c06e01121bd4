package driver

import (
	"context"
	"slices"

	"rpcbench/internal/results/result"
)

// maxProlong limits how many measured phases count as warm-up.
const maxProlong = 2

// runWarm runs the measured phase, and repeats it while its calls were still becoming faster: the warm-up had ended on a plateau
// below the final speed, which can't be recognized before it ends.
func (s *sides) runWarm(ctx context.Context) error {
	for prolonged := 1; ; prolonged++ {
		before := s.takenSoFar()
		if err := s.run(ctx); err != nil || prolonged > maxProlong || !s.isWarming(ctx) {
			return err
		}
		after := s.evidence.Clients
		before.restore(s)
		for i := range s.evidence.Clients {
			warmup := *s.evidence.Clients[i].Warmup
			warmup.ElapsedNs += after[i].ElapsedNs
			warmup.Prolonged = prolonged
			s.evidence.Clients[i].Warmup = &warmup
		}
	}
}

// isWarming reports whether another measured phase is to take the place of the last.
func (s *sides) isWarming(ctx context.Context) bool {
	stalled := func(c result.Client) bool { return c.Stalled != nil }
	return s.Warming != nil && s.spec.UntilSteady() && s.spec.Calls == 0 && !s.Profile && !s.evidence.Interrupted &&
		s.evidence.Cut == nil && !slices.ContainsFunc(s.evidence.Clients, stalled) && ctx.Err() == nil &&
		s.Warming(s.spec, s.evidence.Clients)
}

// A before is the evidence when a measured phase begins.
type before struct {
	trial    result.Trial
	measured bool
}

func (s *sides) takenSoFar() before {
	b := before{*s.evidence, s.measured}
	b.trial.Clients, b.trial.Servers = slices.Clone(s.evidence.Clients), slices.Clone(s.evidence.Servers)
	b.trial.Hosts, b.trial.Warnings = slices.Clone(s.evidence.Hosts), slices.Clone(s.evidence.Warnings)
	return b
}

func (b before) restore(s *sides) { *s.evidence, s.measured = b.trial, b.measured }
