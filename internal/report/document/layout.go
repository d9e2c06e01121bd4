package document

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// groupGap separates the columns of a group.
const groupGap = "  "

// Gaps between columns, the second for tables that are too wide with the first.
var gaps = []string{"   ", "  "}

// A layout is columns side by side: the lines of their heads, and those of each row.
type layout struct {
	heads []string
	rows  [][]string
}

func (l layout) width() int {
	most := 0
	for _, line := range slices.Concat(append(l.rows, l.heads)...) {
		most = max(most, runes(line))
	}
	return most
}

// fold lays out columns within the given width. It first narrows the gaps, then continues below with the key columns repeated,
// and finally wraps the longest cells.
func fold(columns []Column, rows, width int) []layout {
	for _, gap := range gaps {
		if whole := layOut(columns, rows, gap); whole.width() <= width {
			return []layout{whole}
		}
	}
	gap := gaps[len(gaps)-1]
	keys, last, units := parted(columns)
	var folded []layout
	taken, more := keys, 0
	for i := 0; i < len(units); i++ {
		unit := units[i]
		wider := slices.Concat(taken, unit, last)
		if more > 0 && layOut(wider, rows, gap).width() > width {
			folded = append(folded, layOut(slices.Concat(taken, last), rows, gap))
			taken, last, more = keys, nil, 0
		}
		taken, more = slices.Concat(taken, unit), more+1
		if more == 1 {
			fitting := narrowed(slices.Concat(taken, last), rows, width, gap)
			if len(last) > 0 && layOut(fitting, rows, gap).width() > width {
				units = append(units, last) // there is no room for them either
				fitting = narrowed(taken, rows, width, gap)
			}
			taken, last = fitting[:len(taken):len(taken)], fitting[len(taken):]
		}
	}
	return append(folded, layOut(slices.Concat(taken, last), rows, gap))
}

// parted divides a table's columns into keys, the columns that come last in the first part, and the other columns as units:
// groups or single columns.
func parted(columns []Column) (keys, last []Column, units [][]Column) {
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Key }) && len(columns) > 0 {
		columns = slices.Clone(columns)
		columns[0].Key = true
	}
	var others []Column
	for _, c := range columns {
		switch {
		case c.Key:
			keys = append(keys, c)
		case c.First:
			last = append(last, c)
		default:
			others = append(others, c)
		}
	}
	return slices.Clip(keys), last, grouped(others)
}

func grouped(columns []Column) (units [][]Column) {
	for len(columns) > 0 {
		n := groupLength(columns)
		units = append(units, columns[:n:n])
		columns = columns[n:]
	}
	return units
}

// minCell is the minimum width of a column of words.
const minCell = 12

// narrowed wraps the longest cells of words until the columns fit, or no column can be narrower.
func narrowed(columns []Column, rows, width int, gap string) []Column {
	whole := columns
	columns = slices.Clone(columns)
	for {
		excess := layOut(columns, rows, gap).width() - width
		longest, second := longestWords(columns)
		if excess <= 0 || longest < 0 || columns[longest].width().value <= minCell {
			return columns
		}
		now := columns[longest].width().value
		if now == second { // both give way
			excess = (excess + 1) / 2
		}
		columns[longest] = whole[longest].wrapped(max(now-excess, minCell, min(second, now-1)))
	}
}

// longestWords returns the place of the widest column of words, -1 if there is none, and the width of the next one.
func longestWords(columns []Column) (at, second int) {
	at = -1
	for i, c := range columns {
		switch wide := c.width().value; {
		case c.Right || c.Group != "":
		case at < 0 || wide > columns[at].width().value:
			if at >= 0 {
				second = columns[at].width().value
			}
			at = i
		default:
			second = max(second, wide)
		}
	}
	return at, second
}

// wrapped returns the column with its cells' words on further lines.
func (c Column) wrapped(width int) Column {
	c.Head = strings.TrimRight(text.Trim(c.Head, width), " ")
	c.Cells = each(c.Cells, func(cell Cell) Cell {
		all := strings.Join(append([]string{cell.Text}, cell.More...), " ")
		lines := strings.Split(text.WrapSoft(all, width), "\n")
		cell.Text, cell.More = lines[0], lines[1:]
		return cell
	})
	return c
}

// layOut aligns columns.
func layOut(columns []Column, rows int, gap string) layout {
	var heads table.Row
	body := make([]table.Row, rows)
	headLines := 1
	for _, unit := range grouped(columns) {
		if unit[0].Group != "" {
			headLines = 2
		}
		head, cells := block(unit, rows)
		heads = append(heads, head)
		for i := range body {
			body[i] = append(body[i], cells[i])
		}
	}
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format = table.FormatOptions{Header: text.FormatDefault, HeaderVAlign: text.VAlignTop}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", gap
	t.SetStyle(style)
	t.AppendHeader(heads)
	t.AppendRows(body)
	lines := strings.Split(t.Render(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	out := layout{heads: lines[:headLines]}
	lines = lines[headLines:]
	for row := range rows {
		n := height(columns, row)
		out.rows, lines = append(out.rows, lines[:n]), lines[n:]
	}
	return out
}

// height returns the number of text lines of a row.
func height(columns []Column, row int) int {
	most := 1
	for _, c := range columns {
		most = max(most, 1+len(c.Cells[row].More))
	}
	return most
}

// groupLength returns the number of columns in the group of the first column.
func groupLength(columns []Column) int {
	n := 1
	for columns[0].Group != "" && n < len(columns) && columns[n].Group == columns[0].Group {
		n++
	}
	return n
}

// block sets the columns of a group side by side, with all lines of equal width.
func block(columns []Column, rows int) (head string, cells []string) {
	group := columns[0].Group
	widths := widen(columns, runes(group))
	cells = make([]string, rows)
	var heads []string
	for i, c := range columns {
		heads = append(heads, pad(c.Head, widths[i].value, c.Right)+strings.Repeat(" ", widths[i].spread))
		for row, cell := range c.Cells {
			if i > 0 {
				cells[row] += groupGap
			}
			cells[row] += cell.aligned(widths[i], c.Right)
		}
	}
	if group == "" {
		return heads[0], cells
	}
	return group + "\n" + strings.Join(heads, groupGap), cells
}

// width holds the widths of a column's values and of their spreads.
type width struct{ value, spread int }

// widen returns the columns' widths, together at least as wide as their group's name.
func widen(columns []Column, group int) []width {
	widths := make([]width, len(columns))
	total := len(groupGap) * (len(columns) - 1)
	for i, c := range columns {
		widths[i] = c.width()
		total += widths[i].value + widths[i].spread
	}
	for i := 0; total < group; i = (i + 1) % len(columns) {
		widths[i].value++
		total++
	}
	return widths
}

func (c Column) width() width {
	w := width{value: runes(c.Head)}
	for _, cell := range c.Cells {
		w.value = max(w.value, runes(cell.Text))
		if c.Group == "" && !c.Right {
			for _, more := range cell.More {
				w.value = max(w.value, runes(more))
			}
		}
		if cell.Spread != "" {
			w.spread = max(w.spread, runes(cell.Spread)+1)
		}
	}
	return w
}

// aligned is a cell as wide as its column, and its further lines, which are flush left.
func (c Cell) aligned(w width, right bool) string {
	spread := ""
	if c.Spread != "" {
		spread = " " + c.Spread
	}
	return strings.Join(append([]string{pad(c.Text, w.value, right) + pad(spread, w.spread, false)}, c.More...), "\n")
}

func pad(s string, width int, right bool) string {
	space := strings.Repeat(" ", max(width-runes(s), 0))
	if right {
		return space + s
	}
	return s + space
}

// runes is the width of a text on a terminal.
func runes(s string) int { return text.StringWidthWithoutEscSequences(s) }
