package report

import (
	"fmt"
	"math"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// alongFigures are the figures of a stretch of a changing load, besides its times, its load and its errors.
var alongFigures = []struct {
	group, head string
	metric      analysis.Metric
	spread      bool
	of          func(analysis.Stretch) stat.Summary
}{
	{"", "calls/s", analysis.CallsPerSec, false, func(s analysis.Stretch) stat.Summary { return s.CallsPerSec }},
	{"response", "p50", analysis.ResponseP50Ns, true, func(s analysis.Stretch) stat.Summary { return s.ResponseP50Ns }},
	{"response", "p99", analysis.ResponseP99Ns, false, func(s analysis.Stretch) stat.Summary { return s.ResponseP99Ns }},
	{"response", "max", analysis.ResponseMaxNs, false, func(s analysis.Stretch) stat.Summary { return s.ResponseMaxNs }},
}

// alongTables returns, for each row with a changing load, the figures along its schedule.
func alongTables(rows []*analysis.Row) []*document.Table {
	varying, _ := naming.Axes(rows)
	var tables []*document.Table
	for i, row := range rows {
		along := row.Along()
		if len(along) == 0 {
			continue
		}
		t := alongTable(row.Spec, along)
		t.Caption = fmt.Sprintf("Along %s: %s · %s", row.Spec.Schedule, naming.Row(rows, varying, i),
			naming.Statistic([]*analysis.Row{row}))
		tables = append(tables, t)
	}
	return tables
}

func alongTable(spec plan.Spec, along []analysis.Stretch) *document.Table {
	t := &document.Table{Detail: "calls are shown when they ended"}
	head := "in flight"
	if !spec.Closed() {
		head = "offered/s"
		t.Detail = "response is measured from when a call was due; " + t.Detail
	}
	load := func(s analysis.Stretch) stat.Summary { return s.Load }
	t.Columns = append(t.Columns, timesColumn(along),
		alongColumn(along, document.Column{Head: head}, false, load, asCounts(along, load)))
	times, lowest := asTimes(along), 1.
	for _, f := range alongFigures {
		c, printed := document.Column{Group: f.group, Head: f.head}, times
		if f.group == "" {
			printed = asCounts(along, f.of)
		} else if unit := times.Scale.Name; unit != "" {
			c.Group += " " + unit
		}
		column := alongColumn(along, c, f.spread, f.of, printed)
		for i, s := range along {
			if isOfFewIn(s, f.metric) {
				column.Cells[i] = marked(column.Cells[i], true)
				lowest = min(lowest, f.metric.Declare().Quantile)
			}
		}
		t.Columns = append(t.Columns, column)
	}
	if lowest < 1 {
		t.Notes = fewWords("calls", lowest, "a part of a trial")
	}
	errors := document.Column{Head: "errors", Right: true}
	t.Columns = append(t.Columns, document.TextOf(errors, along, func(s analysis.Stretch) string { return number.Whole(s.Errors) }))
	return t
}

// isOfFewIn reports whether a percentile is of too few calls in half of the trials or more. One of no call is not shown.
func isOfFewIn(s analysis.Stretch, m analysis.Metric) bool {
	q := m.Declare().Quantile
	return q > 0 && q < 1 && s.Calls.N > 0 && s.Calls.Median < float64(stat.SamplesNeeded(q))
}

func alongColumn(
	along []analysis.Stretch, c document.Column, spread bool, of func(analysis.Stretch) stat.Summary, printed number.Format,
) document.Column {
	c.Right = true
	return document.Of(c, along, func(stretch analysis.Stretch) document.Cell {
		if s := of(stretch); s.N > 0 {
			return cell.Of(&s, printed, spread)
		}
		return cell.Of(nil, printed, spread)
	})
}

// timesColumn says from when to when a stretch lasted, to tenths of a second where none was shorter than one.
func timesColumn(along []analysis.Stretch) document.Column {
	digits := 1
	for _, s := range along {
		if s.ToNs.Median-s.FromNs.Median < 0.9e9 {
			digits = 2
		}
	}
	return document.TextOf(document.Column{Head: "seconds", Right: true}, along, func(s analysis.Stretch) string {
		return number.Grouped(s.FromNs.Median/1e9, digits) + "–" + number.Grouped(s.ToNs.Median/1e9, digits)
	})
}

// asCounts prints rates, and numbers of calls in flight.
func asCounts(along []analysis.Stretch, of func(analysis.Stretch) stat.Summary) number.Format {
	values := mediansAlong(along, of)
	if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v-math.Round(v)) > 1e-6 }) {
		return number.Format{Scale: asTheyAre}
	}
	return number.Fixed(asTheyAre, values)
}

// asTimes prints all times in one unit, or each in its own where they are too far apart for that.
func asTimes(along []analysis.Stretch) number.Format {
	p50s := mediansAlong(along, func(s analysis.Stretch) stat.Summary { return s.ResponseP50Ns })
	if len(p50s) == 0 || farApart(p50s) {
		return ownTimes
	}
	return number.Fixed(number.Nanoseconds.Common(p50s), p50s)
}

func mediansAlong(along []analysis.Stretch, of func(analysis.Stretch) stat.Summary) []float64 {
	var values []float64
	for _, stretch := range along {
		if s := of(stretch); s.N > 0 {
			values = append(values, s.Median)
		}
	}
	return values
}

// jsonAlong has the load as offered_per_sec or in_flight; a figure that no trial has is null.
func jsonAlong(spec plan.Spec, along []analysis.Stretch) []document.Object {
	load := "in_flight"
	if !spec.Closed() {
		load = "offered_per_sec"
	}
	var stretches []document.Object
	for _, stretch := range along {
		out := document.Object{
			{Name: "from_ns", Value: int64(math.Round(stretch.FromNs.Median))},
			{Name: "to_ns", Value: int64(math.Round(stretch.ToNs.Median))},
			{Name: load, Value: cell.Decimal(stretch.Load.Median)},
		}
		for _, f := range alongFigures {
			field := analysis.Field{Name: string(f.metric)}
			if s := f.of(stretch); s.N > 0 {
				field.Value = jsonSummary(f.metric, s)
			}
			out = append(out, field)
		}
		stretches = append(stretches, append(out, analysis.Field{Name: "errors", Value: stretch.Errors}))
	}
	return stretches
}

// alongLead says how the median response changed with the load: at its beginning, at its end, and where it was longest, if that
// is neither. There is no sentence where fewer than two parts have a median.
func alongLead(row *analysis.Row) (string, bool) {
	along := slices.DeleteFunc(slices.Clone(row.Along()), func(s analysis.Stretch) bool { return s.ResponseP50Ns.N == 0 })
	if len(along) < 2 {
		return "", false
	}
	load := func(s analysis.Stretch) stat.Summary { return s.Load }
	unit, loads, times := "in flight", asCounts(along, load), timesColumn(along).Cells
	if !row.Spec.Closed() {
		unit = "offered calls/s"
	}
	took := "were answered within"
	if row.Censored() > 0 {
		took = "took at least"
	}
	longest, last := 0, len(along)-1
	for i, s := range along {
		if s.ResponseP50Ns.Median > along[longest].ResponseP50Ns.Median {
			longest = i
		}
	}
	part := func(i int) string {
		s := along[i]
		return fmt.Sprintf("%s at %s %s (%s s)", leadFigure(analysis.ResponseP50Ns, s.ResponseP50Ns), loads.Bare(s.Load.Median), unit,
			times[i].Text)
	}
	words := fmt.Sprintf("Half of the calls %s %s, and %s", took, part(0), part(last))
	if longest != 0 && longest != last {
		words += "; longest was " + part(longest)
	}
	return words + ".", true
}
