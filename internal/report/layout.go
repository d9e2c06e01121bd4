package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rpcbench/internal/report/texttable"
)

// groupGap stands between the columns of a group.
const groupGap = "  "

// Gaps between columns, the second for tables that are too wide with the first.
var gaps = []string{"   ", "  "}

// layOut aligns columns and returns the lines: the heads first, of groups and of columns, then one for each row.
func layOut(columns []column, rows int, gap string) []string {
	var heads []any
	body := make([]table.Row, rows)
	for len(columns) > 0 {
		n := groupLength(columns)
		head, cells := block(columns[:n], rows)
		heads = append(heads, head)
		for i := range body {
			body[i] = append(body[i], cells[i])
		}
		columns = columns[n:]
	}
	t := texttable.New(gap, heads...)
	t.AppendRows(body)
	return strings.Split(texttable.Render(t), "\n")
}

// groupLength is how many of the columns belong to the group of the first.
func groupLength(columns []column) int {
	n := 1
	for columns[0].group != "" && n < len(columns) && columns[n].group == columns[0].group {
		n++
	}
	return n
}

// block sets the columns of one group beside each other, all lines equally wide.
func block(columns []column, rows int) (head string, cells []string) {
	group := columns[0].group
	widths := widen(columns, text.StringWidthWithoutEscSequences(group))
	cells = make([]string, rows)
	var heads []string
	for i, c := range columns {
		heads = append(heads, c.alignedHead(widths[i]))
		for row, cell := range c.cells {
			if i > 0 {
				cells[row] += groupGap
			}
			cells[row] += c.aligned(cell, widths[i])
		}
	}
	if group == "" {
		return heads[0], cells
	}
	return group + "\n" + strings.Join(heads, groupGap), cells
}

// width is that of a column's values and of their spreads.
type width struct{ value, spread int }

// widen returns the columns' widths, together at least as wide as their group's name.
func widen(columns []column, group int) []width {
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

func (c column) width() width {
	w := width{value: runes(c.head)}
	for _, cell := range c.cells {
		w.value = max(w.value, runes(cell.value))
		if cell.spread != "" {
			w.spread = max(w.spread, runes(cell.spread)+1)
		}
	}
	return w
}

func (c column) alignedHead(w width) string {
	return pad(c.head, w.value, c.right) + strings.Repeat(" ", w.spread)
}

func (c column) aligned(cell cell, w width) string {
	spread := ""
	if cell.spread != "" {
		spread = " " + cell.spread
	}
	return pad(cell.value, w.value, c.right) + pad(spread, w.spread, false)
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
