package ab

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
)

// An Experiment measures pairs of trials until they are enough, or the time is up. It is a campaign.Decision.
type Experiment struct {
	*pairs.Experiment // what was measured
	Settings

	Base plan.Trial // of both sides
	End  time.Time  // no pair begins that would not be over by then

	pair    pairs.Step // that is measured now
	seen    int        // trials of it that are over
	begun   time.Time  // it was
	slowest time.Duration
	again   int // the number of a trial that was interrupted, which the next one replaces
}

// Next implements campaign.Decision.
func (x *Experiment) Next(now time.Time, made int) campaign.Batch {
	if (x.begun.IsZero() || x.seen == len(x.pair.Sides)) && !x.begin(now) {
		return campaign.Batch{}
	}
	side := x.pair.Sides[x.seen]
	return campaign.Batch{
		Trials: []plan.Trial{{
			ID: fmt.Sprintf("%s-%d", x.Base.ID, cmp.Or(x.again, made+1)), Repetition: x.pair.Number, Spec: x.Base.Spec,
			Cases: []plan.Case{{Scenario: string(side), Title: side.Title()}},
		}},
		Label: fmt.Sprintf("pair %d, %s", x.pair.Number, side.Title()),
	}
}

// begin begins another pair; false says that there is none, or no time for it.
func (x *Experiment) begin(now time.Time) bool {
	if !x.begun.IsZero() {
		x.slowest = max(x.slowest, now.Sub(x.begun))
	}
	next, more := x.Settings.Next(x.Outcomes(x.Metrics[0]), x.IsOver())
	switch {
	case !more && x.GivesUp():
		x.Ending = pairs.Broken
		return false
	case !more:
		return false
	case now.Add(max(x.slowest, 2*plan.Expected([]plan.Trial{x.Base}))).After(x.End):
		x.Ending = pairs.TimeUp
		return false
	}
	x.pair, x.seen, x.begun = next, 0, now
	return true
}

// See implements campaign.Decision.
func (x *Experiment) See(trial campaign.Measured) error {
	row, err := trial.Row()
	if err != nil {
		return err
	}
	for _, t := range slices.Concat(row.Trials, row.Failed) {
		x.Add(t)
	}
	x.seen++
	x.again = 0
	return nil
}

// GivesUp reports whether the last pairs that were measured since the experiment began, or goes on, have all failed.
func (x *Experiment) GivesUp() bool { return x.failing(x.Outcomes(x.Metrics[0])) }

// Recall takes in the trials of a file with which the experiment goes on. It returns an error if the experiment would not have
// measured these.
func (x *Experiment) Recall(file *result.File) error {
	for _, t := range file.Trials {
		if err := x.See(campaign.Measured{Trial: t, Name: file.Name, Header: file.Header}); err != nil {
			return err
		}
		if t.Interrupted {
			x.again = campaign.NumberOf(t)
		}
	}
	x.Ending, x.Recalled = pairs.Complete, x.Pairs()
	if gap := x.Gap(); gap > 0 {
		return fmt.Errorf("%s lacks a trial of pair %d, so the experiment can't go on", file.Name, gap)
	}
	return nil
}
