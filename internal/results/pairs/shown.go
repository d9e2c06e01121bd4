package pairs

import (
	"math"
	"slices"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// rates and times are metrics that callers notice; what calls cost depends on their kind.
var (
	rates = []analysis.Metric{analysis.CallsPerSec, analysis.MessagesPerSec, analysis.OperationsPerSec}
	times = []analysis.Metric{
		analysis.ResponseP50Ns, analysis.ResponseP90Ns, analysis.ResponseP99Ns, analysis.ResponseMaxNs,
	}
	bytes = []analysis.Metric{analysis.WireOutPerCall, analysis.WireInPerCall}
)

// Shown returns the metrics that blocks of A and B have: those decided on, then the usual ones.
func (x *Experiment) Shown() []analysis.Metric {
	return slices.DeleteFunc(x.wanted(), func(metric analysis.Metric) bool {
		return len(logsOf(x.Outcomes(metric), shift)) == 0
	})
}

// wanted returns the metrics of the decision, and the usual ones.
func (x *Experiment) wanted() []analysis.Metric {
	all := slices.Clone(x.Metrics)
	for _, metric := range slices.Concat(rates, times, compare.Costs(x.spec), bytes) {
		if !slices.Contains(all, metric) {
			all = append(all, metric)
		}
	}
	return all
}

// A Cost is a metric of what calls cost, with the change of B.
type Cost struct {
	Metric analysis.Metric
	Look   stat.Look
}

// leastCost is the smallest difference of a cost that is named: 1%.
const leastCost = 0.01

// Costs returns what calls cost B more or less than A, beside what was decided on: processor time and bytes.
// There are none where calls of one side fail more often: they cost something too, and costs are those of OK calls.
func (x *Experiment) Costs() []Cost {
	if math.Abs(x.Tally(A).errorRatio()-x.Tally(B).errorRatio()) >= leastCost {
		return nil
	}
	var found []Cost
	for _, metric := range x.SharedCosts() {
		f := x.JudgeShown(metric)
		if f.Look.Decision.Differs() && !f.Part.Shows && math.Abs(f.Look.Ratio.Value-1) >= leastCost {
			found = append(found, Cost{Metric: metric, Look: f.Look})
		}
	}
	return found
}

// SharedCosts are the costs that share the level, so that the chance of any is at most that of one. With more than three, none
// could be told at the first look.
func (x *Experiment) SharedCosts() []analysis.Metric {
	return slices.DeleteFunc(append(compare.Costs(x.spec), analysis.WirePerCall), func(metric analysis.Metric) bool {
		return slices.Contains(x.Metrics, metric) || !x.varies(metric)
	})
}

// JudgeShown is Judge for what is shown beside the metrics of the decision: costs share the level.
func (x *Experiment) JudgeShown(metric analysis.Metric) Finding {
	found := x.Judge(metric)
	if costs := x.SharedCosts(); slices.Contains(costs, metric) {
		found.Look = stat.LookAmong(logsOf(x.Outcomes(metric), shift), x.Same, len(costs))
		found.Declined = x.isDeclined(metric, found.Look.Decision)
	}
	return found
}

// IsWithin reports whether a difference is smaller than what counts as the same, as far as its interval goes.
func IsWithin(l stat.Look, same float64) bool {
	return l.Known && l.Decision.Differs() && l.Ratio.Lo > 1/(1+same) && l.Ratio.Hi < 1+same
}

// varies reports whether the pairs differ in a metric at all: bytes are often equal, and then no candidate.
func (x *Experiment) varies(metric analysis.Metric) bool {
	return slices.ContainsFunc(logsOf(x.Outcomes(metric), shift), func(log float64) bool { return log != 0 })
}

// Comparison has a line for each metric of the decision, and for each that is Shown.
func (x *Experiment) Comparison() *compare.Comparison {
	c := &compare.Comparison{Base: "A", Same: x.Same}
	for i, metric := range x.wanted() {
		if i >= len(x.Metrics) && len(logsOf(x.Outcomes(metric), shift)) == 0 {
			continue
		}
		d := metric.Declare()
		c.Tables = append(c.Tables, compare.Table{
			Metric: d.Name, Column: string(d.Metric), Unit: string(d.Kind.Unit()), Better: d.Kind.Better(),
			Lines: []compare.Line{{Point: x.spec.String(), Side: "B", Change: x.change(metric),
				Failed: [2]int{x.Tally(A).Failed, x.Tally(B).Failed}, Few: x.few(metric)}},
		})
	}
	return c
}

// few returns how many calls a percentile needs in a trial, if those of A or of B have fewer; else 0.
func (x *Experiment) few(metric analysis.Metric) (needed int64) {
	for _, side := range []Side{A, B} {
		needed = max(needed, analysis.TooFewFor(x.trials(side), metric))
	}
	return needed
}

// change is what is found about a metric, as comparisons have it.
func (x *Experiment) change(metric analysis.Metric) stat.Change {
	found := x.JudgeShown(metric)
	l := found.Look
	c := stat.Change{
		A: x.Summary(A, metric), B: x.Summary(B, metric), Design: stat.Looks, N: l.Blocks,
		Decision: found.Decision(), HasRatio: found.Pairs > 0, Least: l.Least, Trials: l.Needed, TooFew: !l.Known,
		Ratio: stat.Ratio{Estimate: l.Ratio, Spread: stat.SpreadMinMax},
	}
	if l.Known && !found.Part.Shows {
		c.Ratio.Spread = stat.SpreadCI95
	}
	if found.Declined {
		c.Decline()
	}
	return c
}
