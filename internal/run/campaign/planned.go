package campaign

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// Planned is the Decision of a plan: all of its trials, in order, whatever their results.
type Planned struct {
	Left   []plan.Trial // that have not begun
	Failed int          // of those that are over
}

// Next implements Decision.
func (p *Planned) Next(time.Time, int) Batch {
	batch := Batch{Trials: p.Left}
	p.Left = nil
	return batch
}

// See implements Decision.
func (p *Planned) See(trial Measured) error {
	if trial.Status == result.StatusFailed {
		p.Failed++
	}
	return nil
}
