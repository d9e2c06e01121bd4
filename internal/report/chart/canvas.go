package chart

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"

	prettytext "github.com/jedib0t/go-pretty/v6/text"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"rpcbench/internal/call/plain"
)

// Measures of a chart.
const (
	chartWidth    = 26 * vg.Centimeter
	chartHeight   = 15 * vg.Centimeter
	chartMargin   = 0.5 * vg.Centimeter
	thumbnail     = 1.4 * vg.Centimeter
	titleSize     = vg.Length(15)
	labelSize     = vg.Length(11)
	smallSize     = vg.Length(9)
	lineGap       = 1.35 // of a line's size
	subtitleRunes = 135
	lineWidth     = vg.Length(1.5)
	markerRadius  = vg.Length(3.2)
)

// Dashes and markers also distinguish the lines, since a page may be printed in gray. The colors differ in brightness and are
// chosen for color-blind readers (M. Okabe, K. Ito, Color Universal Design, 2008).
var (
	lineColors = []color.NRGBA{
		{A: 255}, {G: 114, B: 178, A: 255}, {R: 213, G: 94, A: 255}, {G: 158, B: 115, A: 255},
		{R: 160, G: 80, B: 130, A: 255}, {R: 86, G: 180, B: 233, A: 255},
	}
	lineDashes = [][]vg.Length{nil, {7, 3}, {2, 2.5}, {9, 3, 2, 3}, {12, 5}, {4, 2, 1, 2, 1, 2}}
	markers    = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{},
		draw.TriangleGlyph{}, draw.CrossGlyph{},
	}
	gridColor = color.Gray{Y: 225}
	greyText  = color.Gray{Y: 90}
)

// svg draws the chart. styles has the style of each label that was drawn before, and gets those that are new.
func (c *chart) svg(styles map[string]int) ([]byte, error) {
	canvas := vgsvg.New(chartWidth, chartHeight)
	if err := c.draw(draw.New(canvas), styles); err != nil {
		return nil, err
	}
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return nil, err
	}
	// The fonts are not in the file: where Liberation Sans is missing, these are as wide as it.
	return bytes.ReplaceAll([]byte(plain.Lines(picture.String())), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), nil
}

// draw draws title, subtitle and footer, the legend on the right, and the plot in the remaining area.
func (c *chart) draw(canvas draw.Canvas, styles map[string]int) error {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Path())
	area := draw.Crop(canvas, chartMargin, -chartMargin, chartMargin, -chartMargin)
	title := textStyle(titleSize)
	title.Font.Weight = boldWeight
	area = writeTop(area, title, []string{c.title})
	area = writeTop(area, greyStyle(smallSize), wrapped(c.subtitle))
	area = writeBottom(area, greyStyle(smallSize), c.footer)
	area.Max.Y -= chartMargin / 2
	if c.bars != nil {
		c.drawBars(area)
		return nil
	}
	p := plot.New()
	p.BackgroundColor = nil
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.TextStyle, legend.ThumbnailWidth, legend.Padding = textStyle(labelSize), thumbnail, 5
	c.setAxes(p)
	for i, line := range c.lines {
		if err := line.add(p, &legend, styleOf(styles, line.label), i); err != nil {
			return err
		}
	}
	c.setRanges(p)
	size := legend.Rectangle(area).Size().X + chartMargin
	legend.Draw(draw.Crop(area, area.Max.X-area.Min.X-size, 0, 0, -labelSize))
	p.Draw(c.writeLabels(draw.Crop(area, 0, -size-chartMargin, 0, 0)))
	return nil
}

// writeLabels names the axes and returns the remaining area. The library's own labels leave half of a logarithmic axis empty,
// because they are centered at the mean of the axis's ends.
func (c *chart) writeLabels(area draw.Canvas) draw.Canvas {
	style := textStyle(labelSize)
	area = writeTop(area, style, []string{c.y.label})
	style.XAlign = draw.XCenter
	area.FillText(style, vg.Point{X: area.Center().X, Y: area.Min.Y}, c.x.label)
	area.Min.Y += labelSize * lineGap
	area.Max.Y -= labelSize / 2
	return area
}

func styleOf(styles map[string]int, label string) int {
	if _, ok := styles[label]; !ok {
		styles[label] = len(styles)
	}
	return styles[label]
}

func wrapped(line string) []string {
	lines := strings.Split(prettytext.WrapSoft(line, subtitleRunes), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// writeTop writes lines at the top of an area and returns the rest.
func writeTop(area draw.Canvas, style text.Style, lines []string) draw.Canvas {
	style.YAlign = draw.YTop
	for _, line := range lines {
		area.FillText(style, vg.Point{X: area.Min.X, Y: area.Max.Y}, line)
		area.Max.Y -= style.Font.Size * lineGap
	}
	return area
}

// writeBottom writes lines at the bottom of an area and returns the rest.
func writeBottom(area draw.Canvas, style text.Style, lines []string) draw.Canvas {
	for _, paragraph := range slices.Backward(lines) {
		for _, line := range slices.Backward(wrapped(paragraph)) {
			area.FillText(style, vg.Point{X: area.Min.X, Y: area.Min.Y}, line)
			area.Min.Y += style.Font.Size * lineGap
		}
	}
	area.Min.Y += chartMargin / 2
	return area
}

func textStyle(size vg.Length) text.Style {
	face := font.From(plot.DefaultFont, size)
	face.Variant = "Sans"
	return text.Style{Color: color.Black, Font: face, Handler: plot.DefaultTextHandler}
}

func greyStyle(size vg.Length) text.Style {
	style := textStyle(size)
	style.Color = greyText
	return style
}

// setAxes sets the properties of the axes that do not depend on the data.
func (c *chart) setAxes(p *plot.Plot) {
	for _, a := range []struct {
		axis *plot.Axis
		of   chartAxis
	}{{&p.X, c.x}, {&p.Y, c.y}} {
		a.axis.Tick.Label.Font = textStyle(smallSize + 1).Font
		if !a.of.linear {
			a.axis.Scale = plot.LogScale{}
		}
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	p.Add(grid)
}

// setRanges sets the ranges of the axes, and their ticks.
func (c *chart) setRanges(p *plot.Plot) {
	x, y := c.reach()
	for _, a := range []struct {
		axis  *plot.Axis
		of    chartAxis
		reach [2]float64
	}{{&p.X, c.x, x}, {&p.Y, c.y, y}} {
		switch {
		case a.of.linear:
			a.axis.Min, a.axis.Max = 0, a.reach[1]*1.05
			a.axis.Tick.Marker = plot.ConstantTicks(linearTicks(a.axis.Max, a.of.words))
		case a.of.marks != nil:
			a.axis.Min, a.axis.Max = a.reach[0], a.reach[1]
			a.axis.Tick.Marker = plot.ConstantTicks(markTicks(a.of.marks, a.reach[1], a.of.words))
		default:
			ticks, least, most := logTicks(a.reach[0], a.reach[1], a.of.words)
			a.axis.Min, a.axis.Max, a.axis.Tick.Marker = least, most, plot.ConstantTicks(ticks)
		}
	}
}

// reach returns the least and the most of all lines.
func (c *chart) reach() (x, y [2]float64) {
	x = [2]float64{math.Inf(1), 0}
	y = x
	for _, line := range c.lines {
		for _, p := range line.points {
			x = [2]float64{min(x[0], p.x), max(x[1], p.x)}
			y = [2]float64{min(y[0], p.lo), max(y[1], p.hi)}
		}
		for _, p := range line.fit {
			y = [2]float64{min(y[0], p.y), max(y[1], p.y)}
		}
	}
	return x, y
}
