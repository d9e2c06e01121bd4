package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// stepsPerDecade is the number of percentiles drawn from 90% to 99%, and so on.
const stepsPerDecade = 24

// maxLines is the maximum number of lines in a percentile chart, unless one point has more stacks: more can't be distinguished.
const maxLines = 8

// percentileCharts draw the response at each percentile, with a line for each row of a table. If there are too many rows, they
// draw one chart each for the first and the last point of the table, which runs from the nearest and smallest to the farthest and
// largest. A percentile is computed for each trial; the line is the median over trials.
func percentileCharts(table *analysis.Table) ([]*chart, error) {
	var rows []*analysis.Row
	var sets [][]*analysis.Row
	for _, row := range table.Rows {
		if !row.Spec.Coding() && len(row.Trials) > 0 {
			rows, sets = append(rows, row), append(sets, []*analysis.Row{row})
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	groups := [][]*analysis.Row{rows}
	if len(rows) > maxLines {
		points := atOnePoint(sets, func(*plan.Spec) {})
		groups = [][]*analysis.Row{slices.Concat(points[0]...)}
		if last := len(points) - 1; last > 0 {
			groups = append(groups, slices.Concat(points[last]...))
		}
	}
	var charts []*chart
	for _, group := range groups {
		c, err := percentileChart(table, group)
		if err != nil {
			return nil, err
		}
		charts = append(charts, c)
	}
	return drawable(charts), nil
}

func percentileChart(table *analysis.Table, rows []*analysis.Row) (*chart, error) {
	c := newChart(table, rows, "percentiles", "Response latency by percentile",
		chartAxis{label: "percentile (logarithmic towards 100%)", marks: partMarks, words: partWords},
		chartAxis{label: "response latency (logarithmic)", words: spanMark})
	name := naming.Namer(rows)
	for _, row := range rows {
		line, err := percentileLine(row, name(row))
		if err != nil {
			return nil, err
		}
		c.lines = append(c.lines, line)
	}
	return c, nil
}

// percentileLine has x = 1/(1−q) for the percentile q, up to where every trial has calls beyond it.
func percentileLine(row *analysis.Row, label string) (chartLine, error) {
	line := chartLine{label: label, band: true}
	trials, err := note.Decoded(row, result.HistResponse)
	if err != nil {
		return line, err
	}
	calls := math.Inf(1)
	for _, h := range trials {
		calls = min(calls, float64(h.TotalCount()))
	}
	if len(trials) == 0 {
		return line, nil
	}
	for _, x := range parts(calls) {
		line.points = append(line.points, atPart(trials, x))
	}
	return line, nil
}

// parts returns the places of the percentiles on the axis that the number of calls allows, 50% among them.
func parts(calls float64) []float64 {
	all := []float64{2}
	for i := 0; ; i++ {
		x := math.Pow(10, float64(i)/stepsPerDecade)
		if x > calls*(1+1e-9) {
			break
		}
		all = append(all, x)
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(x float64) bool { return x > calls*(1+1e-9) })
}

func atPart(trials []*hdrhistogram.Histogram, x float64) chartPoint {
	values := make([]float64, len(trials))
	for i, h := range trials {
		values[i] = max(float64(record.Quantile(h, 1-1/x)), 1)
	}
	s := stat.Summarize(values)
	return chartPoint{x: x, y: s.Median, lo: s.Lo, hi: s.Hi}
}

// partMarks are the percentiles that are labelled: 0, 50%, 90%, 99% and so on.
var partMarks = []float64{1, 2, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// partWords is "99.9%".
func partWords(x float64) string {
	if x <= 1 {
		return "0"
	}
	nines := max(int(math.Round(math.Log10(x)))-2, 0)
	return fmt.Sprintf("%.*f%%", nines, 100-100/x)
}
