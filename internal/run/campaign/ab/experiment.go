package ab

import (
	"cmp"
	"fmt"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign"
)

// An Experiment measures pairs of trials until they are enough, or the time is up. It is a campaign.Decision.
type Experiment struct {
	Settings

	Base   plan.Trial // of both sides
	Metric analysis.Metric
	End    time.Time // no pair begins that would not be over by then

	// The measured pairs.
	Outcomes []Outcome
	TimeUp   bool
	Failure  string // of the last trial that failed

	tallies [2]Tally

	figures []figures // of the pairs so far, the one that is measured now too
	pair    Step      // it
	begun   time.Time // it was
	slowest time.Duration
}

// figures are the figures of a pair, by side. A failed trial has none.
type figures map[Side]map[analysis.Metric]float64

// Next implements campaign.Decision.
func (x *Experiment) Next(now time.Time, made int) campaign.Batch {
	if len(x.figures) == len(x.Outcomes) && !x.begin(now) {
		return campaign.Batch{}
	}
	side := x.side()
	return campaign.Batch{
		Trials: []plan.Trial{{
			ID: fmt.Sprintf("%s-%d", x.Base.ID, made+1), Repetition: x.pair.Number, Spec: x.Base.Spec,
			Cases: []plan.Case{{Scenario: string(side), Title: string(side)}},
		}},
		Label: fmt.Sprintf("pair %d, %s", x.pair.Number, side),
	}
}

// begin begins another pair; false says that there is none, or no time for it.
func (x *Experiment) begin(now time.Time) bool {
	if !x.begun.IsZero() {
		x.slowest = max(x.slowest, now.Sub(x.begun))
	}
	next, more := x.Settings.Next(x.Outcomes)
	if !more {
		return false
	}
	if now.Add(max(x.slowest, 2*plan.Expected([]plan.Trial{x.Base}))).After(x.End) {
		x.TimeUp = true
		return false
	}
	x.pair, x.begun = next, now
	x.figures = append(x.figures, figures{})
	return true
}

// side is the one of the pair that comes next.
func (x *Experiment) side() Side { return x.pair.Sides[len(x.figures[len(x.figures)-1])] }

// See implements campaign.Decision.
func (x *Experiment) See(trial campaign.Measured) error {
	row, err := trial.Row()
	if err != nil {
		return err
	}
	x.Failure = cmp.Or(trial.Failure, x.Failure)
	x.Tally(x.side().IsB()).add(row, trial.Failure)
	pair := x.figures[len(x.figures)-1]
	if pair[x.side()] = figuresOf(row); len(pair) == len(x.pair.Sides) {
		x.Outcomes = append(x.Outcomes, Outcome{Step: x.pair, Ratio: pair.ratio(x.pair, x.Metric)})
	}
	return nil
}

// figuresOf are all figures of a trial.
func figuresOf(row *analysis.Row) map[analysis.Metric]float64 {
	found := map[analysis.Metric]float64{}
	for _, trial := range row.Trials {
		for _, metric := range analysis.Metrics() {
			if value, ok := trial.Value(metric.Judged()); ok {
				found[metric] = value
			}
		}
	}
	return found
}

// ratio returns the ratio of B to A, or of A to itself; 0 if one of them lacks the figure.
func (f figures) ratio(s Step, metric analysis.Metric) float64 {
	under, over := A, B
	if s.Alike {
		under, over = First, Second
	}
	a, b := f[under][metric], f[over][metric]
	if a <= 0 || b <= 0 {
		return 0
	}
	return b / a
}

// Judge returns what the pairs show about a metric.
func (x *Experiment) Judge(metric analysis.Metric) Finding {
	so := make([]Outcome, len(x.Outcomes))
	for i, o := range x.Outcomes {
		so[i] = Outcome{Step: o.Step, Ratio: x.figures[i].ratio(o.Step, metric)}
	}
	return Judge(so, x.Same)
}

// Median returns a side's median of a metric, over its trials in whole pairs.
func (x *Experiment) Median(side Side, metric analysis.Metric) float64 {
	var values []float64
	for i := range x.Outcomes {
		if value, ok := x.figures[i][side][metric]; ok {
			values = append(values, value)
		}
	}
	return stat.Summarize(values).Median
}

// Tally returns the tally of server A or B, over all its trials: those of pairs that don't count, too.
func (x *Experiment) Tally(ofB bool) *Tally {
	if ofB {
		return &x.tallies[1]
	}
	return &x.tallies[0]
}
