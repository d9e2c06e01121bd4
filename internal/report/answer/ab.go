package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign/ab"
)

// abMetrics are those of the answer's table, as far as trials have them.
var abMetrics = []analysis.Metric{
	analysis.CallsPerSec, analysis.MessagesPerSec, analysis.OperationsPerSec, analysis.ResponseP50Ns, analysis.ResponseP90Ns,
	analysis.ResponseP99Ns, analysis.ResponseMaxNs, analysis.ClientCPUPerCall, analysis.WirePerCall,
}

// An Experiment puts what an experiment found into words.
type Experiment struct {
	*ab.Experiment

	Width string // as the user wrote it
}

// Answer says in a sentence or two how B compares with A, above a table of what else was measured; err is how it ended.
func (x Experiment) Answer(err error) document.Document {
	sentence := cmp.Or(x.unboundedAnswer(), answerOf(x.Judge(x.Metric), x.Metric))
	switch {
	case errors.Is(err, context.Canceled):
		sentence += " It was interrupted."
	case err != nil, ab.Failing(x.Outcomes):
		sentence += " It ended early."
	case x.TimeUp:
		sentence += fmt.Sprintf(" The time was up before the interval was narrower than %s; more --time or longer trials tell more.",
			x.Width)
	}
	answer := document.Document{document.Answer{sentence}}
	if t := x.table(); t.Height() > 0 {
		answer = append(answer, t)
	}
	return answer
}

// unbounded stands for a percentile that lies among calls that failed.
const unbounded = "∞"

// isUnbounded reports whether so many calls of a side failed that a percentile lies among them.
func (x Experiment) isUnbounded(side ab.Side, metric analysis.Metric) bool {
	return metric.Judged().IsOfAll() && x.Median(side, metric) >= analysis.NotServed
}

// unboundedAnswer says that a side has no percentile to compare; "" where both have.
func (x Experiment) unboundedAnswer() string {
	for _, side := range []ab.Side{ab.A, ab.B} {
		if x.isUnbounded(side, x.Metric) {
			return fmt.Sprintf("%s of %s is unbounded: more of its calls failed than the percentile leaves out.",
				x.Metric.Declare().Name, side)
		}
	}
	return ""
}

// answerOf is the sentence about one metric.
func answerOf(found ab.Finding, metric analysis.Metric) string {
	name := metric.Declare().Name
	switch {
	case found.Pairs < stat.ConfidenceTrials || !found.FloorKnown:
		return fmt.Sprintf("Nothing can be told of A and B in %s: %s of A and B can be used, and %d of each kind are needed.",
			name, number.Count(found.Pairs, "pair"), stat.ConfidenceTrials)
	case found.Differs:
		return fmt.Sprintf("B %s in %s (%s, %s; the noise floor is %s).", differenceOf(metric, found.Ratio.Median), name,
			spread(found.Ratio), number.Count(found.Pairs, "pair"), number.Percent(found.Floor.Half, 1))
	default:
		return fmt.Sprintf("No difference between A and B can be told in %s: B is at %s (%s to %s, %s) of A, and the noise "+
			"floor is %s.", name, number.Change(found.Ratio.Median), number.Change(found.Ratio.Lo), number.Change(found.Ratio.Hi),
			number.Count(found.Pairs, "pair"), number.Percent(found.Floor.Half, 1))
	}
}

// differenceOf says how B differs, by a ratio to A that is not 1.
func differenceOf(metric analysis.Metric, ratio float64) string {
	change := number.Percent(math.Abs(ratio-1), 1)
	kind := metric.Declare().Kind
	switch {
	case kind.IsSpeed() && (ratio > 1) == (kind.Better() == stat.Higher):
		return "is " + change + " faster than A"
	case kind.IsSpeed():
		return "is " + change + " slower than A"
	case ratio > 1:
		return "has " + change + " more than A"
	default:
		return "has " + change + " less than A"
	}
}

// spread prints the interval of a difference, the smaller change first.
func spread(ratio stat.Summary) string {
	near, far := math.Abs(ratio.Lo-1), math.Abs(ratio.Hi-1)
	if near > far {
		near, far = far, near
	}
	return fmt.Sprintf("%.1f–%s", 100*near, number.Percent(far, 1))
}

// table sets the sides beside each other in every metric that has a ratio.
func (x Experiment) table() *document.Table {
	t := &document.Table{Columns: []document.Column{
		{Head: "metric"}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B to A", Right: true},
		{Head: "95% interval"}, {Head: "pairs", Right: true}, {Head: "noise floor", Right: true}, {},
	}}
	for _, metric := range abMetrics {
		if found := x.Judge(metric); found.Pairs > 0 {
			t.Append(x.line(metric, found)...)
		}
	}
	return t
}

func (x Experiment) line(metric analysis.Metric, found ab.Finding) []document.Cell {
	interval, floor, verdict := "–", "–", "~"
	if found.Ratio.Spread == stat.SpreadCI95 {
		interval = number.Change(found.Ratio.Lo) + " to " + number.Change(found.Ratio.Hi)
	}
	if found.FloorKnown {
		floor = number.Percent(found.Floor.Half, 1)
	}
	if found.Differs {
		verdict = "differs"
	}
	d := metric.Declare()
	change := number.Change(found.Ratio.Median)
	if x.isUnbounded(ab.A, metric) || x.isUnbounded(ab.B, metric) {
		change, interval = "–", "–"
	}
	return document.Texts(d.Name, x.figure(ab.A, metric), x.figure(ab.B, metric), change, interval, number.Whole(found.Pairs),
		floor, verdict)
}

// figure is a side's median.
func (x Experiment) figure(side ab.Side, metric analysis.Metric) string {
	if x.isUnbounded(side, metric) {
		return unbounded
	}
	return metric.Declare().Kind.Unit().Text(x.Median(side, metric))
}

// Comparison is the answer as limits are held against.
func (x Experiment) Comparison() *compare.Comparison {
	found := x.Judge(x.Metric)
	d := x.Metric.Declare()
	change := stat.Change{Decision: stat.Untold, HasRatio: found.Pairs > 0, Ratio: stat.Ratio{
		Estimate: stat.Estimate{Value: found.Ratio.Median, Lo: found.Ratio.Lo, Hi: found.Ratio.Hi}, Spread: found.Ratio.Spread,
	}}
	switch {
	case found.Differs:
		change.Decision = stat.Differs
	case found.Pairs < stat.ConfidenceTrials:
		change.Decision, change.Trials = stat.NeedsTrials, stat.ConfidenceTrials
	}
	return &compare.Comparison{Base: "A", Tables: []compare.Table{{
		Metric: d.Name, Column: string(d.Metric), Unit: string(d.Kind.Unit()), Better: d.Kind.Better(),
		Lines: []compare.Line{{Point: x.Base.Spec.String(), Side: "B", Change: change}},
	}}}
}
