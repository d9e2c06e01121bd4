package request

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
)

// Rows are a table of values. Each call has one of its rows, wherever it asks for a column.
type Rows struct {
	*table

	used bool
}

// A table is what a file of rows has. Its cells are kept in one text, because millions of them may be empty.
type table struct {
	name    string // what sentences call it
	names   []string
	text    string
	ends    []uint32 // of the cells within text, row by row
	columns []*cells // nil is one that no function has asked for yet
}

// cells are those of a column, from the first row on.
type cells struct {
	texts   []string
	numbers []int64 // nil unless all are whole numbers
	bare    bool    // JSON has all of them without quotes
	longest int     // bytes of the longest
}

// ReadRows reads a file of rows.
func ReadRows(path string) (Input, error) {
	name, content, err := readFile(path, nil)
	if err != nil {
		return Input{}, err
	}
	in := Input{Name: name, Format: FormatCSV, Text: withoutMark(content), File: path}
	return in, in.check()
}

// NewRows makes rows of CSV: the first line names the columns, and each following one is a row.
func NewRows(in Input) (*Rows, error) {
	reader, header, err := in.header("columns")
	if err != nil {
		return nil, err
	}
	t := &table{name: in.Name, columns: make([]*cells, len(header))}
	for i, name := range header {
		line, at := reader.FieldPos(i)
		switch name = strings.TrimSpace(name); {
		case name == "":
			return nil, fmt.Errorf("%s:%d:%d: the column has no name", in.Name, line, at)
		case slices.Contains(t.names, name):
			return nil, fmt.Errorf("%s:%d:%d: another column is named %q, too", in.Name, line, at, name)
		}
		t.names = append(t.names, name)
	}
	return &Rows{table: t}, t.read(reader, in)
}

// read reads the rows.
func (t *table) read(reader *csv.Reader, in Input) error {
	var text strings.Builder
	text.Grow(len(in.Text))
	t.ends = make([]uint32, 0, bytes.Count(in.Text, []byte(","))+bytes.Count(in.Text, []byte("\n"))+1)
	for {
		cells, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF) && t.Count() == 0:
			return fmt.Errorf("%s has no rows; the first line names the columns", in.Name)
		case errors.Is(err, io.EOF):
			t.text = text.String()
			return nil
		case errors.Is(err, csv.ErrFieldCount):
			return in.ragged(reader, len(t.names), len(cells))
		case err != nil:
			return in.csvError(err)
		case t.Count() == RequestsMax:
			return fmt.Errorf("%s has more than %d rows", in.Name, RequestsMax)
		}
		for _, cell := range cells {
			text.WriteString(cell)
			t.ends = append(t.ends, uint32(text.Len()))
		}
	}
}

// Count returns the number of rows, at least 1.
func (t *table) Count() int { return len(t.ends) / len(t.names) }

// Again returns the same rows, of which no function has asked for a column.
func (r *Rows) Again() *Rows { return &Rows{table: r.table} }

// Used reports whether a function has asked for one of the columns.
func (r *Rows) Used() bool { return r.used }

// column returns a column.
func (r *Rows) column(name string) (*cells, error) {
	i := slices.Index(r.names, name)
	if i < 0 {
		return nil, fmt.Errorf("%s has no column %q%s", r.name, name, hint.Of(name, r.names))
	}
	r.used = true
	if r.columns[i] == nil {
		r.columns[i] = r.table.column(i)
	}
	return r.columns[i], nil
}

// column makes a column of the cells. It is made once, because each of many requests may ask for it.
func (t *table) column(i int) *cells {
	c := &cells{texts: make([]string, t.Count())}
	for row := range c.texts {
		cell, begin := row*len(t.names)+i, uint32(0)
		if cell > 0 {
			begin = t.ends[cell-1]
		}
		c.texts[row] = t.text[begin:t.ends[cell]]
		c.longest = max(c.longest, len(c.texts[row]))
	}
	c.numbers = wholeNumbers(c.texts)
	c.bare = c.numbers == nil && !slices.ContainsFunc(c.texts, isQuoted)
	return c
}

// makeColumn makes the value that the call's row has in a column. If all rows have whole numbers there, it is a number.
func makeColumn(arguments []argument, v vocabulary) (value, error) {
	if arguments[0].isNumber {
		return value{}, errors.New("it needs a column's name in quotes")
	}
	if v.rows == nil {
		return value{}, errors.New("it needs a file of rows: --rows-file, or rows_file in a scenario")
	}
	c, err := v.rows.column(arguments[0].text)
	if err != nil {
		return value{}, err
	}
	called := Function{Name: "column"}
	if v.sample {
		called.Name = "sampled_column"
	}
	if c.numbers != nil {
		called.Numbers = c.numbers
		return value{
			called: called, ofRow: true, secret: true, number: func(d *draw) int64 { return c.numbers[v.pick(d.call, len(c.numbers))] },
		}, nil
	}
	called.Texts = c.texts
	return value{
		called: called, ofRow: true, secret: true, odd: true, among: c.texts, bare: c.bare, size: c.longest,
		text: func(dst []byte, d *draw) []byte { return append(dst, c.texts[v.pick(d.call, len(c.texts))]...) },
	}, nil
}

// inRow names the call's row in an error of a template that has its values. The values themselves are not shown: they may be
// secrets, and errors come into results.
func (o Options) inRow(t *template, call uint64, err error) error {
	if !t.ofRow {
		return err
	}
	return fmt.Errorf("%s, row %d: %w", o.Rows.name, o.pickRow(call, o.Rows.Count())+1, err)
}

// wholeNumbers returns the numbers that texts are. It is nil if one is none, or is written in another way, such as 007.
func wholeNumbers(texts []string) []int64 {
	numbers := make([]int64, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			return nil
		}
		numbers[i] = n
	}
	return numbers
}

// isQuoted reports whether JSON has a text in quotes: it is not a number, true or false.
func isQuoted(text string) bool {
	if text == "true" || text == "false" {
		return false
	}
	return strings.Trim(text, "+-.0123456789eE") != "" || !json.Valid([]byte(text))
}
