package report

import (
	"math"
	"slices"

	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/pairtable"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
)

// A pairColumn is a column of CSV about the answer of an experiment with two servers. The row of B has it.
type pairColumn struct {
	name   string
	of     func(*pairs.Experiment) any
	is     string
	absent string
}

// pairColumns are the last ones.
var pairColumns = []pairColumn{
	{"ab_metric", func(x *pairs.Experiment) any { return string(x.Metrics[0]) },
		"of `ab`, in the row of server B: the metric that was decided on", "not the row of server B"},
	{"ab_decision", func(x *pairs.Experiment) any { return comparison.Decision(x.Comparison().Tables[0]) },
		"`better`, `worse`, `same` or `inconclusive`", "as ab_metric"},
	{"ab_change_percent", ofChange(func(r ends) float64 { return r.Value }),
		"the change from A to B", "as ab_metric, too few pairs, or calls were not served"},
	{"ab_change_percent_lo", ofChange(func(r ends) float64 { return r.Lo }),
		"lower end of its 95% interval", "as ab_change_percent"},
	{"ab_change_percent_hi", ofChange(func(r ends) float64 { return r.Hi }), "upper end", "as ab_change_percent"},
	{"ab_pairs", func(x *pairs.Experiment) any { return int64(x.Judge(x.Metrics[0]).Pairs) },
		"pairs of A and B that it is from", "as ab_metric"},
}

// ends are a ratio and the ends of its interval.
type ends struct{ Value, Lo, Hi float64 }

func ofChange(of func(ends) float64) func(*pairs.Experiment) any {
	return func(x *pairs.Experiment) any {
		found := x.Judge(x.Metrics[0])
		ratio := of(ends(found.Look.Ratio))
		if !found.Look.Known || found.Declined || ratio == 0 || math.IsInf(ratio, 1) {
			return nil
		}
		return cell.ShortNumber(100 * (ratio - 1))
	}
}

// pairFields are the columns of a row, absent except for that of server B.
func pairFields(row *analysis.Row, experiments []*pairs.Experiment) []analysis.Field {
	i := slices.IndexFunc(experiments, func(x *pairs.Experiment) bool { return x.IsOf(row, pairs.B) })
	fields := make([]analysis.Field, len(pairColumns))
	for j, c := range pairColumns {
		fields[j].Name = c.name
		if i >= 0 {
			fields[j].Value = c.of(experiments[i])
		}
	}
	return fields
}

// A jsonExperiment is the answer of an experiment with two servers.
type jsonExperiment struct {
	File string `json:"file"`
	result.AB

	Answer   []string          `json:"answer"` // sentences
	Decision string            `json:"decision"`
	Ending   pairs.Ending      `json:"ending,omitempty"`
	Lines    []document.Object `json:"lines"`
}

func jsonExperiments(experiments []*pairs.Experiment) []jsonExperiment {
	var all []jsonExperiment
	for _, x := range experiments {
		c := x.Comparison()
		all = append(all, jsonExperiment{
			File: x.File, AB: x.Design, Answer: pairtable.Sentences(x), Decision: comparison.Decision(c.Tables[0]), Ending: x.Ending,
			Lines: comparison.Lines(c),
		})
	}
	return all
}
