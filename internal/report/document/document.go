// Package document defines what is printed for people: headings, tables, notes and answers, which renderers print as text
// for a terminal, as Markdown or as HTML. It also has the records that programs read, as CSV and JSON.
//
// Strings of a document may come from anywhere. Renderers receive them cut and without control characters, and escape what
// has a meaning in their format.
package document

import "rpcbench/internal/call/plain"

// A Document is a sequence of blocks.
type Document []Block

// A Block is one independent part of a document.
type Block interface {
	// plain returns the block with strings that are fit to be shown.
	plain() Block
}

// A Heading describes the blocks up to the next Heading.
type Heading string

// An Answer is a sentence on each line, which scripts may look for: no line is broken.
type Answer []string

// Notes are sentences, under a title or without one.
type Notes struct {
	Title string
	Lines []string
	Quiet bool // of interest to few
}

// A Table has a cell of each column on each line.
type Table struct {
	Caption string   // what was asked, and what the figures are
	Detail  string   // what all lines have in common
	Answer  []string // sentences that say what the lines show; HTML has them at the Chart
	Columns []Column
	Lines   []Line // how lines look; none where all look alike
	Notes   []string
}

// A Line is how a line of a table looks.
type Line struct {
	Quiet bool // in the background of the others
	Apart bool // from the one above
}

// A Column of a table. Neighbours of one group are shown under its name.
type Column struct {
	Group, Head string
	Right       bool // numbers
	// Key columns name their lines. A table that is too wide continues below itself, where they are repeated. Where no
	// column is one, the first is.
	Key bool
	// First columns are in the first part of such a table, at its end, if there is room for them. A page, which may show
	// its first columns alone, has them next to the Headline.
	First    bool
	Headline bool
	Cells    []Cell
}

// A Cell is a value with an optional spread.
type Cell struct {
	Text   string
	More   []string // further lines
	Spread string
	Tone   Tone
}

// A Tone is the emphasis of a cell.
type Tone int

// Tones.
const (
	Even Tone = iota
	Warning
	Alarm
)

// tones are the colors of the Tones at a terminal.
var tones = map[Tone]string{Warning: yellow, Alarm: red}

// maxCell is the maximum number of characters of a cell that are shown.
const maxCell = 200

// Of returns the column with a cell for each item.
func Of[T any](c Column, items []T, cell func(T) Cell) Column {
	for _, item := range items {
		c.Cells = append(c.Cells, cell(item))
	}
	return c
}

// TextOf is Of for cells of nothing but text.
func TextOf[T any](c Column, items []T, text func(T) string) Column {
	return Of(c, items, func(item T) Cell { return Cell{Text: text(item)} })
}

// Append adds a line of cells.
func (t *Table) Append(cells ...Cell) {
	for i, c := range cells {
		t.Columns[i].Cells = append(t.Columns[i].Cells, c)
	}
}

// Texts are cells of nothing but text.
func Texts(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, text := range texts {
		cells[i].Text = text
	}
	return cells
}

// Height is the number of lines below the heads.
func (t *Table) Height() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0].Cells)
}

func (h Heading) plain() Block { return Heading(plain.Line(string(h))) }
func (a Answer) plain() Block  { return Answer(each(a, plain.Line)) }

func (n Notes) plain() Block {
	n.Title, n.Lines = plain.Line(n.Title), each(n.Lines, plain.Line)
	return n
}

func (t *Table) plain() Block {
	return &Table{
		Caption: plain.Line(t.Caption), Detail: plain.Line(t.Detail), Columns: each(t.Columns, Column.plain), Lines: t.Lines,
		Notes: each(t.Notes, plain.Line), Answer: each(t.Answer, plain.Line),
	}
}

func (c Column) plain() Column {
	c.Group, c.Head, c.Cells = short(c.Group), short(c.Head), each(c.Cells, Cell.plain)
	return c
}

func (c Cell) plain() Cell {
	c.Text, c.More, c.Spread = short(c.Text), each(c.More, short), short(c.Spread)
	return c
}

func plainLine(text string) string { return plain.Line(text) }

func short(text string) string { return plain.Short(text, maxCell) }

func each[T any](items []T, made func(T) T) []T {
	out := make([]T, len(items))
	for i, item := range items {
		out[i] = made(item)
	}
	return out
}
