package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// groupGap stands between the columns of a group.
const groupGap = "  "

// Gaps between columns, the second for tables that are too wide with the first.
var gaps = []string{"   ", "  "}

// fit lays columns out no wider than width: it narrows the gaps, and then leaves out columns, which it names.
func fit(columns []Column, rows, width int) (lines, left []string) {
	for {
		for _, gap := range gaps {
			if lines = layOut(columns, rows, gap); widest(lines) <= width {
				return lines, left
			}
		}
		first := slices.MaxFunc(columns, func(a, b Column) int { return cmp.Compare(a.Drop, b.Drop) })
		if first.Drop == 0 {
			return lines, left
		}
		left = append(left, cmp.Or(first.Group, first.Head))
		columns = slices.DeleteFunc(slices.Clone(columns), func(c Column) bool {
			return c.Drop == first.Drop && c.Group == first.Group
		})
	}
}

func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, runes(line))
	}
	return most
}

// layOut aligns columns and returns the lines: the heads first, of groups and of columns, then those of each row.
func layOut(columns []Column, rows int, gap string) []string {
	var heads table.Row
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
	return lines
}

// groupLength is how many of the columns belong to the group of the first.
func groupLength(columns []Column) int {
	n := 1
	for columns[0].Group != "" && n < len(columns) && columns[n].Group == columns[0].Group {
		n++
	}
	return n
}

// block sets the columns of one group beside each other, all lines equally wide.
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

// width is that of a column's values and of their spreads.
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
