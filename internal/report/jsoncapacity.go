package report

import (
	"rpcbench/internal/report/answer"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
)

// A jsonCapacity is what a search for a capacity found.
type jsonCapacity struct {
	File         string   `json:"file"`
	Stack        string   `json:"stack"`
	Target       string   `json:"target,omitempty"`
	Requirements []string `json:"requirements"`
	Trials       int      `json:"trials"` // that must agree
	Answer       []string `json:"answer"` // sentences

	Decision        string          `json:"decision"`
	SustainedPerSec *float64        `json:"sustained_per_sec"`          // null is unknown
	TooHighPerSec   *float64        `json:"too_high_per_sec"`           // null is unconfirmed
	ConfidenceRatio float64         `json:"confidence_ratio,omitempty"` // that the capacity is between the two
	Confirming      []jsonConfirmed `json:"confirming"`
	Ending          capacity.Ending `json:"ending,omitempty"`
}

// jsonConfirmed are the confirming trials of a rate.
type jsonConfirmed struct {
	PerSec float64 `json:"per_sec"`
	Met    int     `json:"met"`
	Trials int     `json:"trials"`
}

func jsonCapacities(r *analysis.Report) []jsonCapacity {
	var all []jsonCapacity
	for _, course := range capacity.Of(r) {
		all = append(all, newJSONCapacity(answer.Course{Course: course}))
	}
	return all
}

func newJSONCapacity(c answer.Course) jsonCapacity {
	out := jsonCapacity{
		File: c.File, Stack: c.Base.Spec.Stack, Target: c.Base.Spec.Target, Trials: c.Trials, Answer: c.Answer(),
		Decision: c.Decision(), Ending: c.Ending, Confirming: []jsonConfirmed{},
	}
	for _, requirement := range c.Requirements {
		out.Requirements = append(out.Requirements, requirement.String())
	}
	for _, l := range capacity.LongTrials(c.Outcomes) {
		out.Confirming = append(out.Confirming, jsonConfirmed(l))
	}
	if out.Decision != answer.Found {
		return out
	}
	found := c.Find()
	out.SustainedPerSec = &found.PerSec
	if found.Bound {
		out.TooHighPerSec, out.ConfidenceRatio = &found.Failed, capacity.Confidence(c.Trials)
	}
	return out
}
