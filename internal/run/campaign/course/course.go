// Package course measures the course of a search for a capacity.
package course

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/run/campaign"
)

// A Decision carries a course out. It is a campaign.Decision.
type Decision struct {
	*capacity.Course

	End time.Time // no trial begins that would not be over by then
}

// Next implements campaign.Decision.
func (d Decision) Next(now time.Time, made int) campaign.Batch {
	next, more := d.Course.Next()
	if !more {
		return campaign.Batch{}
	}
	number := d.Number(made + 1)
	trials := []plan.Trial{{
		ID: d.ID(number), Repetition: number, Spec: next.Spec,
		Cases: []plan.Case{{Scenario: next.Scenario, Title: next.Scenario}},
	}}
	if now.Add(plan.Expected(trials)).After(d.End) {
		d.Ending = capacity.TimeUp
		return campaign.Batch{}
	}
	return campaign.Batch{Trials: trials, Label: next.Label}
}

// See implements campaign.Decision.
func (d Decision) See(trial campaign.Measured) error {
	row, err := trial.Row()
	if err != nil {
		return err
	}
	return d.Course.See(row)
}
