package document

import (
	"cmp"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A Style is how text is printed.
type Style struct {
	Color bool // ANSI escape sequences
	Width int  // of a line, WidthDefault for 0. Tables that are wider continue below themselves
}

// WidthDefault is the width of text where none is asked for, and how long lines of prose are at most: eyes lose longer ones.
const WidthDefault = 120

// minWidth is the width assumed for narrower terminals.
const minWidth = 40

// WriteText prints a document for people at a terminal.
func WriteText(w io.Writer, d Document, style Style) error {
	out := &textWriter{style: style}
	out.style.Width = max(cmp.Or(style.Width, WidthDefault), minWidth)
	for _, block := range d {
		if c, drawn := block.(Chart); drawn && !c.Spoken {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		switch b := block.plain().(type) {
		case Heading:
			out.wrapped("", string(b), bold)
		case Answer:
			out.lines(b)
		case Chart:
			out.answer(b.Answer)
		case Notes:
			out.notes(b)
		case *Table:
			out.table(b)
		case Facts:
			out.facts(b)
		case Bars:
			out.bars(b)
		case Marks:
			out.marks(b)
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

// answer prints the conclusion of a table or a chart as a paragraph.
func (t *textWriter) answer(sentences []string) {
	if len(sentences) > 0 {
		t.wrapped("", answered(sentences), "")
	}
}

func answered(sentences []string) string { return "Answer: " + strings.Join(sentences, " ") }

func (t *textWriter) table(table *Table) {
	if table.Caption != "" {
		t.wrapped("", table.Caption, bold)
	}
	if table.Detail != "" {
		t.wrapped("", table.Detail, dim)
	}
	t.answer(table.Answer)
	for i, part := range fold(each(table.Columns, t.toned), table.Height(), t.style.Width) {
		if i > 0 {
			t.WriteByte('\n')
		}
		t.lines(part.heads)
		for row, lines := range part.rows {
			t.row(table, row, lines)
		}
	}
	for _, note := range table.Notes {
		t.wrapped("  ", note, "")
	}
}

// toned colors the emphasized cells.
func (t *textWriter) toned(c Column) Column {
	c.Cells = each(c.Cells, func(cell Cell) Cell {
		cell.Text = t.painted(cell.Text, tones[cell.Tone])
		return cell
	})
	return c
}

// row prints the lines of a row. Emphasized cells also have a background.
func (t *textWriter) row(table *Table, i int, lines []string) {
	var look Line
	if i < len(table.Lines) {
		look = table.Lines[i]
	}
	stands := func(c Column) bool { return c.Cells[i].Tone != Even }
	color := ""
	if look.Quiet && !slices.ContainsFunc(table.Columns, stands) {
		color = dim
	}
	if look.Apart {
		t.WriteByte('\n')
	}
	for _, line := range lines {
		t.WriteString(t.painted(line, color) + "\n")
	}
}

// wrapped prints a paragraph, its second line and those below indented.
func (t *textWriter) wrapped(indent, line, color string) {
	const hang = "  "
	for i, part := range t.broken(line, len(indent+hang)) {
		if i > 0 {
			part = hang + part
		}
		t.WriteString(t.painted(indent+part, color) + "\n")
	}
}

// measure is a number and its unit, which stay in one line.
var measure = regexp.MustCompile(`(\d) ((?:ns|µs|ms|s|B|kB|MB|GB|KiB|MiB|k|M|(?:calls|ops|messages)/s)\b)`)

// tied is the space within a measure while lines are broken: a character of private use, as wide as a space.
const tied = "\uE000"

// broken breaks prose into lines that leave room for an indent.
func (t *textWriter) broken(line string, indent int) []string {
	const least = 20
	line = measure.ReplaceAllString(line, "${1}"+tied+"${2}")
	parts := strings.Split(text.WrapSoft(line, max(min(t.style.Width, WidthDefault)-indent, least)), "\n")
	return each(parts, func(part string) string { return strings.TrimRight(strings.ReplaceAll(part, tied, " "), " ") })
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
