package document

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A Style is how text is printed.
type Style struct {
	Color bool // ANSI escape sequences
	// Width is how wide a line may be, WidthDefault for 0. Columns that don't fit are left out and named, but for those that
	// always stay.
	Width int
}

// WidthDefault is the width of text where none is asked for.
const WidthDefault = 120

// WriteText prints a document for people at a terminal.
func WriteText(w io.Writer, d Document, style Style) error {
	out := &textWriter{style: style}
	out.style.Width = cmp.Or(style.Width, WidthDefault)
	for i, block := range d {
		if i > 0 {
			out.WriteByte('\n')
		}
		switch b := block.plain().(type) {
		case Heading:
			out.wrapped("", string(b), bold)
		case Answer:
			out.lines(b)
		case Notes:
			out.notes(b)
		case *Table:
			out.table(b)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

type textWriter struct {
	strings.Builder

	style Style
}

func (t *textWriter) lines(lines []string) {
	for _, line := range lines {
		t.WriteString(line + "\n")
	}
}

func (t *textWriter) notes(n Notes) {
	indent, color := "", ""
	if n.Title != "" {
		t.wrapped("", n.Title, bold)
		indent = "  "
	}
	if n.Quiet {
		color = dim
	}
	for _, line := range n.Lines {
		t.wrapped(indent, line, color)
	}
}

func (t *textWriter) table(table *Table) {
	if table.Caption != "" {
		t.wrapped("", table.Caption, bold)
	}
	if table.Detail != "" {
		t.wrapped("", table.Detail, dim)
	}
	lines, left := fit(each(table.Columns, t.toned), table.Height(), t.style.Width)
	heads := len(lines) - bodyLines(table)
	t.lines(lines[:heads])
	for i, line := range lines[heads:] {
		if i < len(table.Lines) {
			line = t.look(line, table, i)
		}
		t.WriteString(line + "\n")
	}
	for _, note := range table.Notes {
		t.wrapped("  ", note, "")
	}
	if len(left) > 0 {
		t.wrapped("  ", fmt.Sprintf("Too wide for %d columns, omitted: %s. See --format csv for all columns.", t.style.Width,
			strings.Join(left, ", ")), dim)
	}
}

// bodyLines is how many lines of text the cells take.
func bodyLines(table *Table) int {
	n := 0
	for i := range table.Height() {
		most := 1
		for _, c := range table.Columns {
			most = max(most, 1+len(c.Cells[i].More))
		}
		n += most
	}
	return n
}

// toned colours the cells that stand out.
func (t *textWriter) toned(c Column) Column {
	c.Cells = each(c.Cells, func(cell Cell) Cell {
		cell.Text = t.painted(cell.Text, map[Tone]string{Warning: yellow, Alarm: red}[cell.Tone])
		return cell
	})
	return c
}

// look makes a line look as it should. A cell that stands out does so in the background too.
func (t *textWriter) look(line string, table *Table, i int) string {
	stands := func(c Column) bool { return c.Cells[i].Tone != Even }
	if table.Lines[i].Quiet && !slices.ContainsFunc(table.Columns, stands) {
		line = t.painted(line, dim)
	}
	if table.Lines[i].Apart {
		return "\n" + line
	}
	return line
}

// wrapped prints a paragraph, its second line and those below indented.
func (t *textWriter) wrapped(indent, line, color string) {
	const hang = "  "
	for i, part := range strings.Split(text.WrapSoft(line, max(t.style.Width-len(indent+hang), 20)), "\n") {
		if i > 0 {
			part = hang + part
		}
		t.WriteString(t.painted(indent+strings.TrimRight(part, " "), color) + "\n")
	}
}

// ANSI escape sequences.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

func (t *textWriter) painted(line, color string) string {
	if !t.style.Color || color == "" {
		return line
	}
	return color + line + reset
}
