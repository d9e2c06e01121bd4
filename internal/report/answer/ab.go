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

// abMetrics are the metrics of the answer's table, if trials have them.
var abMetrics = []analysis.Metric{
	analysis.CallsPerSec, analysis.MessagesPerSec, analysis.OperationsPerSec, analysis.ResponseP50Ns, analysis.ResponseP90Ns,
	analysis.ResponseP99Ns, analysis.ResponseMaxNs, analysis.ClientCPUPerCall, analysis.WirePerCall,
}

// An Experiment describes the result of an experiment in words.
type Experiment struct{ *ab.Experiment }

// Answer says in a sentence or two how B compares with A, above a table of the other metrics. err is the error that ended the
// experiment.
func (x Experiment) Answer(err error) document.Document {
	found := x.Judge(x.Metric)
	lines := document.Answer{cmp.Or(x.unboundedAnswer(), answerOf(found, x.Metric, x.Same))}
	switch {
	case errors.Is(err, context.Canceled):
		lines[0] += " It was interrupted."
	case err != nil, ab.Failing(x.Outcomes):
		lines[0] += " It ended early."
	case x.TimeUp && (x.Width == 0 || found.Decision() == stat.Untold):
		lines[0] += " The time was up. More --time or longer trials narrow the interval."
	case x.TimeUp:
		lines[0] += fmt.Sprintf(" The time was up before the interval was narrower than %s.", number.Percent(x.Width, 1))
	}
	if found.Order.Shows {
		lines = append(lines, fmt.Sprintf("The second trial of a pair is at %s (%s) of the first in %s, "+
			"which the order of the pairs cancels.",
			number.Change(found.Order.Value), interval(found.Order.Estimate), x.Metric.Declare().Name))
	}
	answer := document.Document{append(lines, x.failures()...)}
	if t := x.table(); t.Height() > 0 {
		answer = append(answer, t)
	}
	return answer
}

// unbounded is printed for a percentile that falls among failed calls.
const unbounded = "∞"

// isUnbounded reports whether a percentile is that of failed calls, because so many calls of a side failed.
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
func answerOf(found ab.Finding, metric analysis.Metric, same float64) string {
	name, l := metric.Declare().Name, found.Look
	pairs := number.Count(found.Pairs, "pair")
	switch {
	case found.Part.Shows:
		return fmt.Sprintf("Can't tell A and B apart in %s: A differs from itself by %s (%s), so something treats the two parts of a "+
			"pair differently. B is at %s of A (%s).", name, number.Change(found.Part.Value), interval(found.Part.Estimate),
			number.Change(l.Ratio.Value), pairs)
	case !l.Known:
		return fmt.Sprintf("Can't tell A and B apart in %s: %s of A and B can be used, and %d are needed.", name, pairs,
			ab.PairsLeast)
	case l.Decision.Differs():
		return fmt.Sprintf("B %s in %s (%s, %s).", differenceOf(metric, l.Ratio.Value), name, spread(l.Ratio), pairs)
	case l.Decision == stat.Same:
		return fmt.Sprintf("A and B are the same within %s in %s: B is at %s (%s, %s) of A.", number.Percent(same, 1), name,
			number.Change(l.Ratio.Value), interval(l.Ratio), pairs)
	default:
		return fmt.Sprintf("Can't tell A and B apart in %s: B is at %s (%s, %s) of A. A difference of %s would have been found; "+
			"about %d pairs would find one of %s.", name, number.Change(l.Ratio.Value), interval(l.Ratio), pairs,
			number.Percent(l.Least, 1), 2*l.Needed, number.Percent(same, 1))
	}
}

func interval(r stat.Estimate) string { return number.Change(r.Lo) + " to " + number.Change(r.Hi) }

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
func spread(ratio stat.Estimate) string {
	near, far := math.Abs(ratio.Lo-1), math.Abs(ratio.Hi-1)
	if near > far {
		near, far = far, near
	}
	return fmt.Sprintf("%.1f–%s", 100*near, number.Percent(far, 1))
}

// table compares the sides in every metric that has a ratio.
func (x Experiment) table() *document.Table {
	t := &document.Table{Columns: []document.Column{
		{Head: "metric"}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B to A", Right: true},
		{Head: "95% interval"}, {Head: "pairs", Right: true}, {Head: "finds", Right: true}, {},
	}}
	for _, metric := range abMetrics {
		if found := x.Judge(metric); found.Pairs > 0 {
			t.Append(x.line(metric, found)...)
		}
	}
	return t
}

func (x Experiment) line(metric analysis.Metric, found ab.Finding) []document.Cell {
	l := found.Look
	shown, least := "–", "–"
	if l.Known {
		shown, least = interval(l.Ratio), number.Percent(l.Least, 1)
	}
	d := metric.Declare()
	change := number.Change(l.Ratio.Value)
	if x.isUnbounded(ab.A, metric) || x.isUnbounded(ab.B, metric) {
		change, shown, least = "–", "–", "–"
	}
	return document.Texts(d.Name, x.figure(ab.A, metric), x.figure(ab.B, metric), change, shown, number.Whole(found.Pairs),
		least, x.word(found, d.Kind.Better()))
}

// word is the answer of a line of the table.
func (x Experiment) word(found ab.Finding, better stat.Better) string {
	switch decision := found.Decision(); {
	case decision == stat.Same:
		return "same ±" + number.Percent(x.Same, 0)
	case !decision.Differs():
		return "can't tell"
	case (decision == stat.Greater) == (better == stat.Higher):
		return "better"
	default:
		return "worse"
	}
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
	d, l := x.Metric.Declare(), found.Look
	change := stat.Change{
		Design: stat.Blocks, N: l.Blocks, Decision: found.Decision(), HasRatio: found.Pairs > 0, Least: l.Least, Trials: l.Needed,
		Ratio: stat.Ratio{Estimate: l.Ratio, Spread: stat.SpreadMinMax}, TooFew: !l.Known,
	}
	if l.Known && !found.Part.Shows {
		change.Ratio.Spread = stat.SpreadCI95
	}
	return &compare.Comparison{Base: "A", Same: x.Same, Tables: []compare.Table{{
		Metric: d.Name, Column: string(d.Metric), Unit: string(d.Kind.Unit()), Better: d.Kind.Better(),
		Lines: []compare.Line{{Point: x.Base.Spec.String(), Side: "B", Change: change}},
	}}}
}
