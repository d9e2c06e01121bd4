package report

import (
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// comparisonFields are the columns of CSV and the members of JSON.
func comparisonFields(c *compare.Comparison, t compare.Table, line compare.Line) document.Object {
	fields := document.Object{
		{Name: "metric", Value: t.Metric}, {Name: "unit", Value: present(t.Unit)}, {Name: "point", Value: line.Point},
		{Name: "base", Value: c.Base}, {Name: "side", Value: line.Side},
		{Name: "base_trials", Value: int64(line.A.N)}, {Name: "base_median", Value: shortNumber(line.A.Median)},
		{Name: "base_lo", Value: shortNumber(line.A.Lo)}, {Name: "base_hi", Value: shortNumber(line.A.Hi)},
		{Name: "side_trials", Value: int64(line.B.N)}, {Name: "side_median", Value: shortNumber(line.B.Median)},
		{Name: "side_lo", Value: shortNumber(line.B.Lo)}, {Name: "side_hi", Value: shortNumber(line.B.Hi)},
	}
	percent, lo, hi, ok := line.Percent()
	ratio := func(x float64) any {
		if !ok {
			return nil
		}
		return shortNumber(x)
	}
	needed, least, machine := any(nil), any(nil), any(nil)
	if line.Trials > 0 {
		needed = int64(line.Trials)
	}
	if ok && line.Ratio.Spread == stat.SpreadCI95 {
		least = shortNumber(100 * line.Least)
	}
	if line.Machine != nil {
		machine = shortNumber(100 * (line.Machine.Ratio.Value - 1))
	}
	return append(fields,
		document.Object{{Name: "change_percent", Value: ratio(percent)}, {Name: "change_percent_lo", Value: ratio(lo)},
			{Name: "change_percent_hi", Value: ratio(hi)}, {Name: "change_spread", Value: present(line.Ratio.Spread)},
			{Name: "p", Value: shortNumber(line.P)}, {Name: "q", Value: shortNumber(line.Q)},
			{Name: "decision", Value: resultOf(t, line)}, {Name: "trials_needed", Value: needed},
			{Name: "base_verdict", Value: present(line.Verdicts[0])}, {Name: "side_verdict", Value: present(line.Verdicts[1])},
			{Name: "design", Value: string(line.Design)}, {Name: "smallest_found_percent", Value: least},
			{Name: "machine_change_percent", Value: machine}}...)
}

func comparisonJSON(c *compare.Comparison) document.Object {
	var lines, means []document.Object
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			lines = append(lines, comparisonFields(c, t, line))
		}
		for _, m := range t.Means {
			means = append(means, document.Object{{Name: "metric", Value: t.Metric}, {Name: "side", Value: m.Side},
				{Name: "rows", Value: m.Lines}, {Name: "change_percent", Value: shortNumber(100 * (m.Value - 1))},
				{Name: "change_percent_lo", Value: shortNumber(100 * (m.Lo - 1))},
				{Name: "change_percent_hi", Value: shortNumber(100 * (m.Hi - 1))}, {Name: "change_spread", Value: m.Spread}})
		}
	}
	return document.Object{{Name: "format", Value: "rpcbench-comparison"}, {Name: "version", Value: 1},
		{Name: "base", Value: c.Base}, {Name: "same_within_percent", Value: shortNumber(100 * c.Same)},
		{Name: "before", Value: document.List(c.Before)}, {Name: "lines", Value: document.List(lines)},
		{Name: "geometric_means", Value: document.List(means)},
		{Name: "notes", Value: document.List(c.Notes)}}
}
