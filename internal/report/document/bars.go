package document

import (
	"math"
	"strings"
)

// Bars are a bar chart of words: one bar on each line, whose length is its part of the longest.
type Bars struct {
	Caption string
	Bars    []Bar
}

// A Bar is one bar of Bars.
type Bar struct {
	Name    string   // what it is of
	Figures []string // how much, in words; as many of every bar
	Length  float64
}

func (b Bars) plain() Block {
	b.Caption = plainLine(b.Caption)
	b.Bars = each(b.Bars, func(bar Bar) Bar {
		bar.Name, bar.Figures = short(bar.Name), each(bar.Figures, short)
		return bar
	})
	return b
}

// maxBar is the maximum length of a bar: longer bars are no easier to distinguish.
const maxBar = 50

// bars prints each as its name, its figures and a bar as long as there is room for.
func (t *textWriter) bars(b Bars) {
	t.wrapped("", b.Caption, bold)
	columns := []Column{TextOf(Column{Right: true}, b.Bars, func(bar Bar) string { return bar.Name })}
	for i := range b.figures() {
		columns = append(columns, TextOf(Column{Right: true}, b.Bars, func(bar Bar) string { return bar.Figures[i] }))
	}
	taken := 0
	for _, c := range columns {
		taken += len(groupGap) + c.width().value
	}
	const least = 5
	most := min(max(t.style.Width-taken-len(groupGap), least), maxBar)
	for row, bar := range b.Bars {
		for _, c := range columns {
			t.WriteString(groupGap + pad(c.Cells[row].Text, c.width().value, true))
		}
		t.WriteString(strings.TrimRight(groupGap+b.drawn(bar, most), " ") + "\n")
	}
}

// figures returns the number of figures of each bar.
func (b Bars) figures() int {
	if len(b.Bars) == 0 {
		return 0
	}
	return len(b.Bars[0].Figures)
}

// drawn returns the text of a bar. Only zero has none.
func (b Bars) drawn(bar Bar, most int) string {
	longest := 0.0
	for _, other := range b.Bars {
		longest = max(longest, other.Length)
	}
	if bar.Length <= 0 || longest <= 0 {
		return ""
	}
	return strings.Repeat("■", max(int(math.Round(float64(most)*bar.Length/longest)), 1))
}

// table is the chart for a page, which has no use for alignment by spaces.
func (b Bars) table() *Table {
	const most = 30
	t := &Table{Caption: b.Caption, Columns: []Column{TextOf(Column{Right: true}, b.Bars, func(bar Bar) string { return bar.Name })}}
	for i := range b.figures() {
		t.Columns = append(t.Columns, TextOf(Column{Right: true}, b.Bars, func(bar Bar) string { return bar.Figures[i] }))
	}
	t.Columns = append(t.Columns, TextOf(Column{}, b.Bars, func(bar Bar) string { return b.drawn(bar, most) }))
	return t
}
