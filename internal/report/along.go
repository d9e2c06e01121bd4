package report

import (
	"fmt"
	"math"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// alongFigures are what a stretch of a load that changes has beside its times, its load and its errors.
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

// alongViews have, of each row whose load changes, what became of its calls along the schedule.
func alongViews(rows []*analysis.Row) []*view {
	varying, _ := axes(rows)
	var views []*view
	for i, row := range rows {
		along := row.Along()
		if len(along) == 0 {
			continue
		}
		v := alongView(row.Spec, along)
		v.caption = fmt.Sprintf("Along %s: %s · %s", clean(row.Spec.Schedule.String()), rowName(rows, varying, i),
			statisticWords([]*analysis.Row{row}))
		views = append(views, v)
	}
	return views
}

func alongView(spec plan.Spec, along []analysis.Stretch) *view {
	v := &view{detail: "calls are shown when they ended"}
	head := "in flight"
	if !spec.Closed() {
		head = "offered/s"
		v.detail = "response is measured from when a call was due; " + v.detail
	}
	load := func(s analysis.Stretch) stat.Summary { return s.Load }
	v.columns = append(v.columns, timesColumn(along), alongColumn(along, column{head: head}, false, load, asCounts(along, load)))
	times := asTimes(along)
	for _, f := range alongFigures {
		c, printed := column{group: f.group, head: f.head}, times
		if f.group == "" {
			printed = asCounts(along, f.of)
		} else if unit := times.Scale.Name; unit != "" {
			c.group += " " + unit
		}
		v.columns = append(v.columns, alongColumn(along, c, f.spread, f.of, printed))
	}
	v.columns = append(v.columns, errorsColumn(along))
	return v
}

func alongColumn(
	along []analysis.Stretch, c column, spread bool, of func(analysis.Stretch) stat.Summary, printed number.Format,
) column {
	c.right = true
	for _, stretch := range along {
		if s := of(stretch); s.N > 0 {
			c.cells = append(c.cells, cellOf(&s, printed, spread))
		} else {
			c.cells = append(c.cells, cellOf(nil, printed, spread))
		}
	}
	return c
}

// timesColumn says from when to when a stretch lasted, to tenths of a second where none was shorter than one.
func timesColumn(along []analysis.Stretch) column {
	digits := 1
	for _, s := range along {
		if s.ToNs.Median-s.FromNs.Median < 0.9e9 {
			digits = 2
		}
	}
	c := column{head: "seconds", right: true}
	for _, s := range along {
		c.cells = append(c.cells, cell{value: number.Grouped(s.FromNs.Median/1e9, digits) + "–" + number.Grouped(s.ToNs.Median/1e9, digits)})
	}
	return c
}

func errorsColumn(along []analysis.Stretch) column {
	c := column{head: "errors", right: true}
	for _, s := range along {
		c.cells = append(c.cells, cell{value: number.Whole(s.Errors)})
	}
	return c
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
func jsonAlong(spec plan.Spec, along []analysis.Stretch) []object {
	load := "in_flight"
	if !spec.Closed() {
		load = "offered_per_sec"
	}
	var stretches []object
	for _, stretch := range along {
		out := object{
			{Name: "from_ns", Value: int64(math.Round(stretch.FromNs.Median))},
			{Name: "to_ns", Value: int64(math.Round(stretch.ToNs.Median))},
			{Name: load, Value: decimal(stretch.Load.Median)},
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
