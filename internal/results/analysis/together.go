package analysis

import (
	"fmt"

	"rpcbench/internal/results/stat"
)

// A course is how the speed of a row's trials changed over their measured phases, judged from all of them together. A change that
// most trials share, such as a warm-up that was too short, shifts the row's figures without affecting their spread. It is visible
// in noise in which a single trial shows nothing. A change of a single trial is in the spread.
type course struct {
	series  series
	finding stat.Finding
	trials  int // 0 where they can't be taken together
}

// courseOf takes at least two trials together that were measured for as long as each other, by the same figure.
func courseOf(trials []*Trial) course {
	var c course
	var all [][]float64
	for _, t := range trials {
		s := seriesOf(t.Spec, t.whileAllDue())
		switch {
		case t.Whole != nil, t.Spec.Schedule != nil, t.Interrupted, t.Cut != nil, t.Stalled != nil:
			return course{}
		case len(all) == 0:
			c.series = s
		case s.of != c.series.of, t.Spec.DurationNs != trials[0].Spec.DurationNs, t.Spec.Calls != trials[0].Spec.Calls:
			return course{}
		}
		all = append(all, s.values)
	}
	if len(all) < 2 {
		return course{}
	}
	c.trials, c.finding = len(all), stat.StationaryTogether(all)
	return c
}

// together judges, by all trials, what single trials left open or did not show.
func (r *Row) together(doubt Doubt) Doubt {
	c := r.course
	switch {
	case c.trials == 0:
		return doubt
	case doubt.Verdict == VerdictNotStationary && doubt.Trials == 0 && c.finding.Changes():
		f := c.series.changed(c.finding, fmt.Sprintf(", in %d trials taken together", c.trials))
		return Doubt{Verdict: f.Verdict, Code: f.Code, Why: f.Why, Trials: c.trials}
	case doubt.Verdict != VerdictNotJudged || doubt.Code != CodeNotJudged:
		return doubt
	case c.finding.Kind != stat.Unknown:
		return Doubt{}
	}
	if _, told := c.finding.Longer(); told {
		doubt.Why = fmt.Sprintf("%s, even in all %d taken together%s", unseen(c.series, c.finding), c.trials,
			longer(r.Trials[0], c.finding, c.trials))
	}
	return doubt
}
