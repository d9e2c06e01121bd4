package chart

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// A chartBar is a row of a table that has no curve: its median as a bar from 0, the ends of its spread, and each trial.
type chartBar struct {
	label  string
	figure string // at its end
	floor  bool
	point  chartPoint // x is not used
	trials []float64
}

// maxBars is the maximum number of rows in a bar chart.
const maxBars = 24

// barCharts draw the headline of each row of a table: a bar for each stack, at each point.
func barCharts(table *analysis.Table) []*chart {
	rows := slices.DeleteFunc(slices.Clone(table.Rows), func(row *analysis.Row) bool { return len(row.Trials) == 0 })
	if len(rows) == 0 {
		return nil
	}
	m := rows[len(rows)-1].Headline()
	shown := slices.DeleteFunc(slices.Clone(rows), func(row *analysis.Row) bool {
		s, ok := row.Summary(m)
		return !ok || s.Median <= 0 || row.Headline() != m
	})
	if len(shown) == 0 || len(shown) > maxBars {
		return nil
	}
	c := newChart(table, rows, "stacks", barTitles[m.Declare().Kind], chartAxis{}, chartAxis{})
	name := naming.Namer(rows)
	for _, row := range shown {
		c.bars = append(c.bars, barOf(row, m, name(row)))
	}
	return []*chart{c}
}

// barOf is the bar of a row that has the metric.
func barOf(row *analysis.Row, m analysis.Metric, label string) chartBar {
	d := m.Declare()
	s, _ := row.Summary(m)
	bar := chartBar{label: label, floor: row.IsFloor(), figure: d.Kind.Unit().Text(s.Median),
		point: chartPoint{y: s.Median, lo: s.Lo, hi: s.Hi}}
	if d.Kind == analysis.Throughput {
		bar.figure += "/s"
	}
	for _, trial := range row.Trials {
		if value, ok := trial.Value(m); ok {
			bar.trials = append(bar.trials, value)
		}
	}
	return bar
}

// barTitles name charts of bars by the kind of their metric.
var barTitles = map[analysis.Kind]string{
	analysis.Latency: "Median response latency by stack", analysis.Throughput: "Calls per second by stack",
	analysis.TimeShare: "Time per operation by stack",
}

// Measures of a chart of bars.
const (
	barGap    = 0.45 // of a bar's place
	barPlace  = 1.5 * vg.Centimeter
	figureGap = 2.6 * vg.Centimeter
)

// labelRoom is the factor by which a label may exceed its measured width if the viewer has another font.
const labelRoom = 1.2

// maxLabel is the maximum number of characters of a label, so that most of a chart remains for what it shows.
const maxLabel = 48

// legible returns the beginning of a label that is too long for a chart.
func legible(label string) string { return plain.Short(label, maxLabel) }

// drawBars draws the bars into an area, with labels on the left and figures on the right. All have one color, since each has a
// label, except the floor.
func (c *chart) drawBars(area draw.Canvas) {
	text := textStyle(labelSize)
	left, most := vg.Length(0), 0.0
	for _, bar := range c.bars {
		left = max(left, text.Width(legible(bar.label))*labelRoom)
		for _, value := range append(slices.Clone(bar.trials), bar.point.hi) {
			most = max(most, value)
		}
	}
	from := area.Min.X + left + chartMargin
	width := area.Max.X - from - figureGap
	at := func(value float64) vg.Length { return from + width*vg.Length(value/most) }
	place := min(area.Size().Y/vg.Length(len(c.bars)), barPlace)
	for i, bar := range c.bars {
		middle := area.Max.Y - place*(vg.Length(i)+0.5)
		half := place * (1 - barGap) / 2
		hue := lineColors[1]
		if bar.floor {
			hue = lineColors[0]
		}
		pale := hue
		pale.A = 2 * bandOpacity
		area.FillPolygon(pale, []vg.Point{{X: from, Y: middle - half}, {X: at(bar.point.y), Y: middle - half},
			{X: at(bar.point.y), Y: middle + half}, {X: from, Y: middle + half}})
		stroke := draw.LineStyle{Color: hue, Width: lineWidth}
		area.StrokeLine2(stroke, at(bar.point.y), middle-half, at(bar.point.y), middle+half)
		area.StrokeLine2(stroke, at(bar.point.lo), middle, at(bar.point.hi), middle)
		for _, value := range bar.trials {
			area.DrawGlyph(draw.GlyphStyle{Color: hue, Radius: markerRadius * 0.7, Shape: draw.RingGlyph{}},
				vg.Point{X: at(value), Y: middle})
		}
		text.YAlign = draw.YCenter
		area.FillText(text, vg.Point{X: area.Min.X, Y: middle}, legible(bar.label))
		end := at(max(bar.point.hi, slices.Max(append(bar.trials, 0))))
		area.FillText(text, vg.Point{X: end + chartMargin/2, Y: middle}, bar.figure)
	}
}
