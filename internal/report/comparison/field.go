package comparison

import (
	"math"

	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// Lines returns the lines of all tables, with the columns of CSV.
func Lines(c *compare.Comparison) []document.Object {
	var lines []document.Object
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			lines = append(lines, comparisonFields(c, t, line))
		}
	}
	return lines
}

// comparisonFields are the columns of CSV and the members of JSON.
func comparisonFields(c *compare.Comparison, t compare.Table, line compare.Line) document.Object {
	fields := document.Object{
		{Name: "metric", Value: t.Metric}, {Name: "unit", Value: cell.Present(t.Unit)}, {Name: "point", Value: line.Point},
		{Name: "base", Value: c.Base}, {Name: "side", Value: line.Side},
		{Name: "base_trials", Value: int64(line.A.N)}, {Name: "base_median", Value: cell.ShortNumber(line.A.Median)},
		{Name: "base_lo", Value: cell.ShortNumber(line.A.Lo)}, {Name: "base_hi", Value: cell.ShortNumber(line.A.Hi)},
		{Name: "side_trials", Value: int64(line.B.N)}, {Name: "side_median", Value: cell.ShortNumber(line.B.Median)},
		{Name: "side_lo", Value: cell.ShortNumber(line.B.Lo)}, {Name: "side_hi", Value: cell.ShortNumber(line.B.Hi)},
	}
	percent := func(ratio float64) any {
		if !line.HasRatio || ratio == 0 || math.IsInf(ratio, 1) {
			return nil
		}
		return cell.ShortNumber(100 * (ratio - 1))
	}
	needed, least, machine := any(nil), any(nil), any(nil)
	p, q := any(cell.ShortNumber(line.P)), any(cell.ShortNumber(line.Q))
	if line.Design == stat.Looks {
		p, q = nil, nil
	}
	if line.Trials > 0 {
		needed = int64(line.Trials)
	}
	if finds(line) {
		least = cell.ShortNumber(100 * line.Least)
	}
	if line.Machine != nil {
		machine = cell.ShortNumber(100 * (line.Machine.Ratio.Value - 1))
	}
	return append(fields,
		document.Object{{Name: "change_percent", Value: percent(line.Ratio.Value)},
			{Name: "change_percent_lo", Value: percent(line.Ratio.Lo)}, {Name: "change_percent_hi", Value: percent(line.Ratio.Hi)},
			{Name: "change_spread", Value: cell.Present(line.Ratio.Spread)},
			{Name: "p", Value: p}, {Name: "q", Value: q},
			{Name: "decision", Value: resultOf(t, line)}, {Name: "trials_needed", Value: needed},
			{Name: "base_verdict", Value: cell.Present(line.Verdicts[0])}, {Name: "side_verdict", Value: cell.Present(line.Verdicts[1])},
			{Name: "design", Value: string(line.Design)}, {Name: "smallest_found_percent", Value: least},
			{Name: "machine_change_percent", Value: machine}}...)
}

func comparisonJSON(c *compare.Comparison, limits document.Checks) document.Object {
	var means []document.Object
	for _, t := range c.Tables {
		for _, m := range t.Means {
			means = append(means, document.Object{{Name: "metric", Value: t.Metric}, {Name: "side", Value: m.Side},
				{Name: "rows", Value: m.Lines}, {Name: "change_percent", Value: cell.ShortNumber(100 * (m.Value - 1))},
				{Name: "change_percent_lo", Value: meanEnd(m, m.Lo)}, {Name: "change_percent_hi", Value: meanEnd(m, m.Hi)},
				{Name: "change_spread", Value: cell.Present(m.Spread)}})
		}
	}
	out := document.Object{{Name: "format", Value: "rpcbench-comparison"}, {Name: "version", Value: 1},
		{Name: "base", Value: c.Base}, {Name: "same_within_percent", Value: cell.ShortNumber(100 * c.Same)},
		{Name: "before", Value: document.List(c.Before)}, {Name: "lines", Value: document.List(Lines(c))},
		{Name: "geometric_means", Value: document.List(means)},
		{Name: "notes", Value: document.List(c.Notes)}}
	if held := limits.Objects(); len(held) > 0 {
		out = append(out, analysis.Field{Name: "requirements", Value: held})
	}
	return out
}

// meanEnd is an end of a mean's interval in percent, nil without one.
func meanEnd(m compare.Mean, end float64) any {
	if m.Without != "" {
		return nil
	}
	return cell.ShortNumber(100 * (end - 1))
}
