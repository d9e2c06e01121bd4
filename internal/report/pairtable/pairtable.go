// Package pairtable prints what an experiment with two servers found: the answer in a sentence, what else was noticed, and a
// table of metrics.
package pairtable

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// Document says in a sentence or two how B compares with A, which commands they are, and how they compare in other metrics.
func Document(x *pairs.Experiment) document.Document {
	d := document.Document{document.Answer(Sentences(x)), sides(x)}
	if t := table(x); t.Height() > 0 {
		d = append(d, t)
	}
	return d
}

// sides names the servers.
func sides(x *pairs.Experiment) document.Facts {
	command := func(p result.Program) []string { return []string{strings.Join(p.Command, " ")} }
	return document.Facts{{Name: "A", Lines: command(x.Design.A)}, {Name: "B", Lines: command(x.Design.B)}}
}

// Sentences say how B compares with A, first in the metric of the answer.
func Sentences(x *pairs.Experiment) []string {
	metric := x.Metrics[0]
	found := x.Judge(metric)
	lines := []string{answer(x, metric) + ending(x, found)}
	for _, other := range x.Metrics[1:] {
		lines = append(lines, answer(x, other))
	}
	for _, cost := range x.Costs() {
		lines = append(lines, costLine(cost, x.Same))
	}
	if found.Order.Shows {
		lines = append(lines, fmt.Sprintf("The second trial of a pair is at %s (%s) of the first in %s, "+
			"which the order of the pairs cancels.",
			number.Change(found.Order.Value), interval(found.Order.Estimate), metric.Declare().Name))
	}
	if pairs.IsSame(x.Design) {
		lines = append(lines, sameProgram)
	}
	return append(lines, failures(x)...)
}

// ending says why there are no more pairs, if more would have been of use.
func ending(x *pairs.Experiment, found pairs.Finding) string {
	limit := ""
	if x.Design.TimeNs > 0 && (!x.Resumed || x.Ending != pairs.Unknown) {
		limit = fmt.Sprintf(" (%s)", number.Span(time.Duration(x.Design.TimeNs)))
	}
	switch x.Ending {
	case pairs.Interrupted:
		return " It was interrupted."
	case pairs.Broken:
		return " It ended early."
	case pairs.TimeUp:
		return fmt.Sprintf(" The time%s was up%s", limit, more(x, found))
	case pairs.Unknown:
		return fmt.Sprintf(" It ended before that was clear: the time%s was up, or it was interrupted.", limit)
	default:
		return ""
	}
}

// more is the end of a sentence about the time that was up, with what would be of use.
func more(x *pairs.Experiment, found pairs.Finding) string {
	switch {
	case !found.Look.Known: // there is no interval yet
		return ". --resume goes on."
	case found.Declined: // more pairs would not be served either
		return "."
	case x.Width == 0 || found.Decision() == stat.Untold:
		return ". More pairs (--resume) or longer trials narrow the interval."
	default:
		return fmt.Sprintf(" before the interval was narrower than %s.", number.Percent(x.Width, 1))
	}
}

// sameProgram is said of sides that can't differ.
const sameProgram = "A and B are the same command, so a difference between them is chance or bias."

// isUnbounded reports whether a percentile is that of failed calls, because so many calls of a side failed.
func isUnbounded(x *pairs.Experiment, side pairs.Side, metric analysis.Metric) bool {
	return !metric.Judged().IsServed(x.Summary(side, metric).Median)
}

// hasTimes reports whether B/A is of calls that were served.
func hasTimes(x *pairs.Experiment, metric analysis.Metric, found pairs.Finding) bool {
	ratio := found.Look.Ratio.Value
	return !isUnbounded(x, pairs.A, metric) && !isUnbounded(x, pairs.B, metric) && ratio > 0 && !math.IsInf(ratio, 1)
}

// answer is what there is to say about one metric.
func answer(x *pairs.Experiment, metric analysis.Metric) string {
	found := x.Judge(metric)
	if found.Pairs == 0 || hasTimes(x, metric, found) {
		return answerOf(found, metric, x.Same)
	}
	var lines []string
	for _, side := range []pairs.Side{pairs.A, pairs.B} {
		if trials := x.NotServed(side, metric); trials > 0 {
			lines = append(lines, fmt.Sprintf("%s of %s is unbounded in %d of %s: more of their calls failed than the percentile "+
				"leaves out.", metric.Declare().Name, strings.ToUpper(string(side)), trials,
				number.Count(x.Summary(side, metric).N, "trial")))
		}
	}
	switch found.Decision() {
	case stat.Greater:
		lines = append(lines, "B is slower than A.")
	case stat.Less:
		lines = append(lines, "B is faster than A.")
	case stat.Untold:
		lines = append(lines, "Can't tell A and B apart.")
	case stat.Same:
	}
	return strings.Join(lines, " ")
}

// answerOf is the sentence about one metric.
func answerOf(found pairs.Finding, metric analysis.Metric, same float64) string {
	name, l := metric.Declare().Name, found.Look
	counted := number.Count(found.Pairs, "pair")
	switch {
	case found.Part.Shows:
		text := fmt.Sprintf("Can't tell A and B apart in %s: A differs from itself by %s (%s), so something treats the two parts of a "+
			"pair differently.", name, number.Change(found.Part.Value), interval(found.Part.Estimate))
		if found.Pairs > 0 {
			text += fmt.Sprintf(" B is at %s of A (%s).", number.Change(l.Ratio.Value), counted)
		}
		return text
	case !l.Known:
		return fmt.Sprintf("Can't tell A and B apart in %s: %s of A and B can be used, and %d are needed.", name, counted,
			pairs.Least)
	case l.Decision.Differs():
		return fmt.Sprintf("B %s in %s (%s, %s)%s.", differenceOf(metric, l.Ratio.Value), name, spread(l.Ratio), counted,
			withinWords(l, same))
	case l.Decision == stat.Same:
		return fmt.Sprintf("A and B are the same within %s in %s: B is at %s (%s, %s) of A.", number.Bound(same), name,
			number.Change(l.Ratio.Value), interval(l.Ratio), counted)
	case !l.Ratio.IsBounded():
		return fmt.Sprintf("Can't tell A and B apart in %s: B is at %s (%s, %s) of A.", name, number.Change(l.Ratio.Value),
			interval(l.Ratio), counted)
	default:
		return fmt.Sprintf("Can't tell A and B apart in %s: B is at %s (%s, %s) of A. A difference of %s would have been found; "+
			"about %d pairs would find one of %s.", name, number.Change(l.Ratio.Value), interval(l.Ratio), counted,
			number.Percent(l.Least, 1), 2*l.Needed, number.Bound(same))
	}
}

// costLine is the sentence about a cost that differs, although nothing was decided on it.
func costLine(cost pairs.Cost, same float64) string {
	return fmt.Sprintf("Costs differ: B %s in %s (%s)%s.", differenceOf(cost.Metric, cost.Look.Ratio.Value),
		cost.Metric.Declare().Name, spread(cost.Look.Ratio), withinWords(cost.Look, same))
}

// withinWords are said of a difference that counts as the same.
func withinWords(l stat.Look, same float64) string {
	if !pairs.IsWithin(l, same) {
		return ""
	}
	return fmt.Sprintf(", which is within the %s that count as the same", number.Bound(same))
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
	if math.IsInf(far, 1) {
		return fmt.Sprintf("%s or more", number.Percent(near, 1))
	}
	return fmt.Sprintf("%.1f–%s", 100*near, number.Percent(far, 1))
}

// table compares the sides in every metric that has a ratio.
func table(x *pairs.Experiment) *document.Table {
	t := &document.Table{Columns: []document.Column{
		{Head: "metric", Key: true}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B to A", Right: true},
		{Head: "95% interval"}, {Head: "result", First: true}, {Head: "pairs", Right: true}, {Head: "finds", Right: true},
	}}
	shown := x.Shown()
	for _, metric := range shown {
		t.Append(line(x, metric, x.JudgeShown(metric))...)
	}
	t.Notes = legend(x, shown)
	return t
}

// legend explains the columns.
func legend(x *pairs.Experiment, shown []analysis.Metric) []string {
	same := number.Bound(x.Same)
	lines := []string{fmt.Sprintf("better, worse: the 95%% interval of the change does not contain 0; with \"within ±%s\": all of "+
		"it counts as the same. same ±%s: it contains 0, and all of it counts as the same. can't tell: neither. finds: the smallest "+
		"difference that would have been found 8 times out of 10.", same, same)}
	var costs []string
	all := x.SharedCosts()
	for _, metric := range shown {
		if slices.Contains(all, metric) {
			costs = append(costs, metric.Declare().Name)
		}
	}
	if len(all) > 1 && len(costs) > 0 {
		lines = append(lines, fmt.Sprintf("The intervals of %s are wider than those of one metric: costs share their 5%%, so that all "+
			"of them are right 95 times out of 100.", strings.Join(costs, " and ")))
	}
	return lines
}

func line(x *pairs.Experiment, metric analysis.Metric, found pairs.Finding) []document.Cell {
	l := found.Look
	shown, least := "–", "–"
	if l.Known {
		shown = interval(l.Ratio)
	}
	if l.Known && l.Ratio.IsBounded() {
		least = number.Percent(l.Least, 1)
	}
	d := metric.Declare()
	change := number.Change(l.Ratio.Value)
	if !hasTimes(x, metric, found) {
		change, shown, least = "–", "–", "–"
	}
	return document.Texts(d.Name, text(x, pairs.A, metric), text(x, pairs.B, metric), change, shown,
		word(x, found, d.Kind.Better()), number.Whole(found.Pairs), least)
}

// word is the answer of a line of the table.
func word(x *pairs.Experiment, found pairs.Finding, better stat.Better) string {
	decision := found.Decision()
	answer := "worse"
	switch {
	case decision == stat.Same:
		return "same ±" + number.Bound(x.Same)
	case !decision.Differs():
		return "can't tell"
	case (decision == stat.Greater) == (better == stat.Higher):
		answer = "better"
	}
	if pairs.IsWithin(found.Look, x.Same) {
		answer += ", within ±" + number.Bound(x.Same)
	}
	return answer
}

// text is a side's median.
func text(x *pairs.Experiment, side pairs.Side, metric analysis.Metric) string {
	if isUnbounded(x, side, metric) {
		return number.Unbounded
	}
	return metric.Declare().Kind.Unit().Text(x.Summary(side, metric).Median)
}
