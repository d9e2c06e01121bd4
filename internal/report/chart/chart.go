// Package chart draws the rows of a report as SVG: batch sizes over latency, load over latency, callers over rate, bars for rows
// without an axis, and percentiles. The same rows yield the same bytes.
package chart

import (
	"cmp"
	"math"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// A chart is a picture of lines over two axes.
type chart struct {
	name     string // of its file, without number and extension
	title    string // the question
	subtitle string // what was measured, and what the figures are
	footer   []string
	x, y     chartAxis
	lines    []chartLine
	bars     []chartBar // in the place of lines and axes
}

type chartAxis struct {
	label  string
	linear bool                 // from 0; a logarithmic axis else
	marks  []float64            // to be labelled; nil chooses round ones
	words  func(float64) string // of a mark
}

// A chartLine is one stack. All its figures are over 0.
type chartLine struct {
	label  string
	points []chartPoint
	fit    []chartPoint // a curve that takes the place of the line through the points
	band   bool         // the spread is an area, without markers; error bars else
}

type chartPoint struct{ x, y, lo, hi float64 }

// newChart sets the texts that all charts of the rows share.
func newChart(table *analysis.Table, rows []*analysis.Row, name, title string, x, y chartAxis) *chart {
	_, common := naming.Axes(rows)
	part := &analysis.Table{Title: table.Title, Rows: rows}
	c := &chart{name: naming.Safe(table.Scenario) + "-" + name, title: title, x: x, y: y,
		subtitle: naming.JoinPresent([]string{naming.Caption(part), naming.Detail(rows, common)}, " · ")}
	for _, row := range rows {
		c.footer = naming.AppendNew(c.footer, naming.Origin(row.Source))
	}
	return c
}

// pointOf is a figure of a row over x; false says that it has none that can be drawn.
func pointOf(row *analysis.Row, x float64, m analysis.Metric) (chartPoint, bool) {
	s, ok := row.Summary(m)
	if !ok || s.Median <= 0 || x <= 0 {
		return chartPoint{}, false
	}
	p := chartPoint{x: x, y: s.Median, lo: s.Lo, hi: s.Hi}
	if p.lo <= 0 {
		p.lo = p.y
	}
	return p, true
}

// atOnePoint groups sets of rows by the point of their first rows, without the axis of the chart.
func atOnePoint(sets [][]*analysis.Row, without func(*plan.Spec)) [][][]*analysis.Row {
	return analysis.ByKey(sets, func(set []*analysis.Row) analysis.Key { return set[0].PointWith(without) })
}

// marksMax is the number of measured values that an axis has room for.
const marksMax = 10

// measured returns the values to label an axis with: all that were measured, unless they are too many.
func measured(lines []chartLine) []float64 {
	var values []float64
	for _, line := range lines {
		for _, p := range line.points {
			if !slices.Contains(values, p.x) {
				values = append(values, p.x)
			}
		}
	}
	if len(values) > marksMax {
		return nil
	}
	slices.Sort(values)
	return values
}

// batchCharts draw operations a second over the batch.
func batchCharts(table *analysis.Table) []*chart {
	var sets [][]*analysis.Row
	for _, fit := range analysis.BatchFits(table.Rows) {
		sets = append(sets, fit.Rows)
	}
	without := func(s *plan.Spec) { s.Batch = 0 }
	var charts []*chart
	for _, group := range atOnePoint(sets, without) {
		all := slices.Concat(group...)
		c := newChart(table, all, "batch", "Throughput by batch size",
			chartAxis{label: "operations per message (logarithmic)", words: countWords},
			chartAxis{label: "operations per second (logarithmic)", words: countWords})
		for _, rows := range group {
			line := chartLine{label: naming.Among(rows[0], all, naming.BatchHead)}
			for _, row := range rows {
				if p, ok := pointOf(row, float64(row.Spec.Batch), analysis.OperationsPerSec); ok {
					line.points = append(line.points, p)
				}
			}
			c.lines = append(c.lines, line)
		}
		c.x.marks = measured(c.lines)
		charts = append(charts, c)
	}
	return drawable(charts)
}

// loadCharts draw the p99 response over the calls a second that were carried.
func loadCharts(table *analysis.Table) []*chart {
	without := func(s *plan.Spec) { s.OfferedPerSec = 0 }
	open := slices.DeleteFunc(slices.Clone(table.Rows), func(row *analysis.Row) bool {
		return row.Spec.Closed() || row.Spec.Coding()
	})
	sets := analysis.ByKey(open, func(row *analysis.Row) analysis.Key { return row.KeyWith(without) })
	var charts []*chart
	for _, group := range atOnePoint(sets, without) {
		all := slices.Concat(group...)
		c := newChart(table, all, "load", "Response latency by throughput",
			chartAxis{label: "calls answered per second (logarithmic)", words: countWords},
			chartAxis{label: "p99 response latency, from when a call was due (logarithmic)", words: spanMark})
		for _, rows := range group {
			line := chartLine{label: naming.Among(rows[0], all, "offered/s")}
			for _, row := range rows {
				rate, _ := row.Summary(analysis.CallsPerSec)
				if p, ok := pointOf(row, rate.Median, analysis.ResponseP99Ns); ok {
					line.points = append(line.points, p)
				}
			}
			slices.SortFunc(line.points, byX)
			c.lines = append(c.lines, line)
		}
		charts = append(charts, c)
	}
	return drawable(charts)
}

func byX(a, b chartPoint) int { return cmp.Compare(a.x, b.x) }

// callersCharts draw calls a second over the callers.
func callersCharts(table *analysis.Table) []*chart {
	without := func(s *plan.Spec) { s.Connections, s.InFlight, s.Streams = 0, 0, 0 }
	var charts []*chart
	for _, alike := range analysis.ByKey(analysis.ScalingFits(table.Rows), func(f analysis.ScalingFit) string { return f.Over }) {
		over, fits := alike[0].Over, map[*analysis.Row]analysis.ScalingFit{}
		var sets [][]*analysis.Row
		for _, fit := range alike {
			fits[fit.Rows[0]] = fit
			sets = append(sets, fit.Rows)
		}
		for _, group := range atOnePoint(sets, without) {
			all := slices.Concat(group...)
			c := newChart(table, all, "callers", "Throughput by number of callers",
				chartAxis{label: "callers: more " + over + " (logarithmic)", words: countWords},
				chartAxis{label: rateLabel[fits[group[0][0]].Rate], linear: true, words: countWords})
			for _, rows := range group {
				c.lines = append(c.lines, callersLine(fits[rows[0]], naming.Among(rows[0], all, naming.SweptHeads...)))
			}
			c.x.marks = measured(c.lines)
			c.subtitle += ". Curves are fits of the universal scalability law; straight lines join points that " +
				"it does not fit."
			charts = append(charts, c)
		}
	}
	return drawable(charts)
}

// rateLabel names the axis of a rate.
var rateLabel = map[analysis.Metric]string{
	analysis.CallsPerSec: "calls per second", analysis.MessagesPerSec: "messages per second",
	analysis.OperationsPerSec: "operations per second",
}

// curveSteps is the number of segments of a fitted curve.
const curveSteps = 100

func callersLine(fit analysis.ScalingFit, label string) chartLine {
	line := chartLine{label: label}
	for _, row := range fit.Rows {
		if p, ok := pointOf(row, float64(row.Spec.Slots()), fit.Rate); ok {
			line.points = append(line.points, p)
		}
	}
	if fit.Err != nil || len(line.points) == 0 {
		return line
	}
	from, to := line.points[0].x, line.points[len(line.points)-1].x
	for i := range curveSteps + 1 {
		n := from * math.Pow(to/from, float64(i)/curveSteps)
		line.fit = append(line.fit, chartPoint{x: n, y: fit.Scaling.Rate(n)})
	}
	return line
}

// drawable leaves out lines of fewer than two points, and charts without a line.
func drawable(charts []*chart) []*chart {
	for _, c := range charts {
		c.lines = slices.DeleteFunc(c.lines, func(l chartLine) bool {
			return len(l.points) < 2 || l.points[0].x == l.points[len(l.points)-1].x
		})
	}
	return slices.DeleteFunc(charts, func(c *chart) bool { return len(c.lines) == 0 })
}

// spanMark is "20 µs", of a round time.
func spanMark(ns float64) string {
	scale := number.Nanoseconds.Scale(ns)
	return number.Short(ns/scale.By) + " " + scale.Name
}

// countWords is "500", "20 k", "1.5 M".
func countWords(n float64) string {
	for _, scale := range []number.Scale{{Name: " G", By: 1e9}, {Name: " M", By: 1e6}, {Name: " k", By: 1e3}} {
		if n >= scale.By {
			return number.Short(n/scale.By) + scale.Name
		}
	}
	return number.Short(n)
}
