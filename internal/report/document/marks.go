package document

import (
	"math"
	"strings"
)

// Marks are values in a row, each drawn as a mark as high as its part of the highest: something over time, in one line.
type Marks struct {
	Caption string
	Values  []float64
	Span    float64 // how many marks the time has room for that others beside these cover too; 0 is as many as there are
	Tone    Tone
	Note    string // what the marks are of, below them
}

func (m Marks) plain() Block {
	m.Caption, m.Note = plainLine(m.Caption), plainLine(m.Note)
	return m
}

// heights are the marks, from the lowest. Only nothing at all is a dot, so that a stop does not look like a little.
var heights = []rune("▁▂▃▄▅▆▇█")

const nothing = '.'

// drawn draws at most the given number of marks: neighbors are merged into their mean.
func (m Marks) drawn(most int) string {
	values := m.Values
	if len(values) > most {
		values = together(values, most)
	}
	highest := 0.0
	for _, v := range values {
		highest = max(highest, v)
	}
	var line strings.Builder
	for _, v := range values {
		mark := nothing
		if v > 0 {
			step := int(math.Ceil(v/highest*float64(len(heights)))) - 1
			mark = heights[min(max(step, 0), len(heights)-1)]
		}
		line.WriteRune(mark)
	}
	return line.String()
}

// together divides values among n neighborhoods and returns their means.
func together(values []float64, n int) []float64 {
	means := make([]float64, n)
	for i := range means {
		some := values[i*len(values)/n : (i+1)*len(values)/n]
		for _, v := range some {
			means[i] += v / float64(len(some))
		}
	}
	return means
}

func (t *textWriter) marks(m Marks) {
	t.wrapped("", m.Caption, bold)
	t.WriteString(groupGap + m.drawn(min(t.style.Width, WidthDefault)-len(groupGap)) + "\n")
	if m.Note != "" {
		t.wrapped(groupGap, m.Note, "")
	}
}

func (m Marks) markdown() string {
	const most = 80
	return "**" + escaped(m.Caption) + "**<br>\n`" + m.drawn(most) + "`<br>\n" + escaped(m.Note) + "\n"
}
