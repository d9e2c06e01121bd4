package chart

import (
	"image/color"
	"math"
	"slices"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const boldWeight = xfont.WeightBold

// bandOpacity lets lines show through the spreads of others.
const bandOpacity = 38

// add draws a line with its spread and enters it into the legend. shift is its place among the lines: where many have
// their points at the same x, error bars of different widths stay apart.
func (l chartLine) add(p *plot.Plot, legend *plot.Legend, style, shift int) error {
	hue := lineColors[style%len(lineColors)]
	stroke := draw.LineStyle{Color: hue, Width: lineWidth, Dashes: lineDashes[style%len(lineDashes)]}
	if l.band {
		if err := l.addBand(p, hue); err != nil {
			return err
		}
	} else if err := l.addBars(p, hue, vg.Length(5+2*(shift%4))); err != nil {
		return err
	}
	shape := l.points
	if l.fit != nil {
		shape = l.fit
	}
	line, err := plotter.NewLine(xys(shape))
	if err != nil {
		return err
	}
	line.LineStyle = stroke
	p.Add(line)
	marked := l.marked()
	if len(marked) == 0 {
		legend.Add(legible(l.label), line)
		return nil
	}
	marks, err := plotter.NewScatter(xys(marked))
	if err != nil {
		return err
	}
	marks.GlyphStyle = draw.GlyphStyle{Color: hue, Radius: markerRadius, Shape: markers[style%len(markers)]}
	p.Add(marks)
	legend.Add(legible(l.label), line, marks)
	return nil
}

// marked returns the points that get a marker: all, or of a curve of percentiles those that are labelled.
func (l chartLine) marked() []chartPoint {
	if !l.band {
		return l.points
	}
	var some []chartPoint
	for _, mark := range partMarks[1:] {
		for _, p := range l.points {
			if p.x >= mark*(1-1e-9) {
				some = append(some, p)
				break
			}
		}
	}
	return some
}

func (l chartLine) addBand(p *plot.Plot, hue color.NRGBA) error {
	var outline plotter.XYs
	for _, point := range l.points {
		outline = append(outline, plotter.XY{X: point.x, Y: point.hi})
	}
	for _, point := range slices.Backward(l.points) {
		outline = append(outline, plotter.XY{X: point.x, Y: point.lo})
	}
	band, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	hue.A = bandOpacity
	band.Color, band.Width = hue, 0
	p.Add(band)
	return nil
}

// A spread is points with their error bars.
type spread struct {
	plotter.XYs
	plotter.YErrors
}

func (l chartLine) addBars(p *plot.Plot, hue color.NRGBA, width vg.Length) error {
	s := spread{XYs: xys(l.points), YErrors: make(plotter.YErrors, len(l.points))}
	for i, point := range l.points {
		s.YErrors[i].Low, s.YErrors[i].High = point.y-point.lo, point.hi-point.y
	}
	bars, err := plotter.NewYErrorBars(s)
	if err != nil {
		return err
	}
	bars.LineStyle, bars.CapWidth = draw.LineStyle{Color: hue, Width: lineWidth / 2}, width
	p.Add(bars)
	return nil
}

func xys(points []chartPoint) plotter.XYs {
	all := make(plotter.XYs, len(points))
	for i, p := range points {
		all[i] = plotter.XY{X: p.x, Y: p.y}
	}
	return all
}

// maxTicks is the maximum number of labels for which a logarithmic axis has them at 1, 2 and 5; beyond it they are at 1 only.
const maxTicks = 8

// logTicks returns round marks that hold least and most between them, and the first and last.
func logTicks(least, most float64, words func(float64) string) (ticks []plot.Tick, first, last float64) {
	var round []float64
	for decade := math.Floor(math.Log10(least)); decade <= math.Ceil(math.Log10(most)); decade++ {
		for _, digit := range []float64{1, 2, 5} {
			round = append(round, digit*math.Pow(10, decade))
		}
	}
	const slack = 1 + 1e-9
	first, last = round[0], round[len(round)-1]
	for _, value := range round {
		if value <= least*slack {
			first = value
		}
	}
	for _, value := range slices.Backward(round) {
		if value*slack >= most {
			last = value
		}
	}
	if first == last {
		last *= 2
	}
	var within []float64
	for _, value := range round {
		if value >= first/slack && value <= last*slack {
			within = append(within, value)
		}
	}
	for _, value := range within {
		tick := plot.Tick{Value: value, Label: words(value)}
		if decade := math.Log10(value); len(within) > maxTicks && math.Abs(decade-math.Round(decade)) > 1e-6 {
			tick.Label = ""
		}
		ticks = append(ticks, tick)
	}
	return ticks, first, last
}

// tooClose is the ratio below which the label of one mark would touch that of the next.
const tooClose = 1.25

// markTicks labels given marks up to most. One too close to the one before has no label.
func markTicks(marks []float64, most float64, words func(float64) string) []plot.Tick {
	var ticks []plot.Tick
	labelled := 0.0
	for _, value := range marks {
		if value > most*(1+1e-9) {
			break
		}
		tick := plot.Tick{Value: value}
		if value >= labelled*tooClose {
			tick.Label, labelled = words(value), value
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// linearSteps is about how many labels a linear axis has.
const linearSteps = 6

// linearTicks are round multiples from 0 to most.
func linearTicks(most float64, words func(float64) string) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(most/linearSteps)))
	for _, by := range []float64{2, 2.5, 2} { // 2, 5 and 10 times the decade
		if most/step <= linearSteps {
			break
		}
		step *= by
	}
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= most; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: words(float64(i) * step)})
	}
	return ticks
}
