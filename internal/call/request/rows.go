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
	name    string // what sentences call it
	names   []string
	columns [][]string // the values of each, from the first row on
	used    bool
}

// ReadRows reads a file of rows.
func ReadRows(path string) (Input, error) {
	name, content, err := readFile(path, nil)
	if err != nil {
		return Input{}, err
	}
	in := Input{Name: name, Format: FormatCSV, Text: bytes.TrimPrefix(content, []byte("\ufeff")), File: path}
	if len(in.Text) == 0 {
		return Input{}, in.headless()
	}
	return in, in.check()
}

func (in Input) headless() error {
	return fmt.Errorf("%s is empty; its first line must name the columns", in.Name)
}

// NewRows makes rows of CSV: the first line names the columns, and each following one is a row.
func NewRows(in Input) (*Rows, error) {
	if err := in.checkRows(); err != nil {
		return nil, err
	}
	reader := csv.NewReader(bytes.NewReader(in.Text))
	reader.ReuseRecord = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, in.headless()
	}
	if err != nil {
		return nil, in.csvError(err)
	}
	r := &Rows{name: in.Name, columns: make([][]string, len(header))}
	for i, name := range header {
		line, at := reader.FieldPos(i)
		switch name = strings.TrimSpace(name); {
		case name == "":
			return nil, fmt.Errorf("%s:%d:%d: the column has no name", in.Name, line, at)
		case slices.Contains(r.names, name):
			return nil, fmt.Errorf("%s:%d:%d: another column is named %q, too", in.Name, line, at, name)
		}
		r.names = append(r.names, name)
	}
	for {
		cells, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF) && r.Count() == 0:
			return nil, fmt.Errorf("%s has no rows; the first line names the columns", in.Name)
		case errors.Is(err, io.EOF):
			return r, nil
		case errors.Is(err, csv.ErrFieldCount):
			return nil, in.ragged(reader, len(header), len(cells))
		case err != nil:
			return nil, in.csvError(err)
		case r.Count() == RequestsMax:
			return nil, fmt.Errorf("%s has more than %d rows", in.Name, RequestsMax)
		}
		for i, cell := range cells {
			r.columns[i] = append(r.columns[i], strings.Clone(cell)) // not with the other cells of its row
		}
	}
}

// Count returns the number of rows, at least 1.
func (r *Rows) Count() int { return len(r.columns[0]) }

// Used reports whether a function has asked for one of the columns.
func (r *Rows) Used() bool { return r.used }

// column returns the values of a column.
func (r *Rows) column(name string) ([]string, error) {
	i := slices.Index(r.names, name)
	if i < 0 {
		return nil, fmt.Errorf("%s has no column %q%s", r.name, name, hint.Of(name, r.names))
	}
	r.used = true
	return r.columns[i], nil
}

// makeColumn makes the value that the call's row has in a column. If all rows have whole numbers there, it is a number.
func makeColumn(arguments []argument, v vocabulary) (value, error) {
	if arguments[0].isNumber {
		return value{}, errors.New("it needs a column's name in quotes")
	}
	if v.rows == nil {
		return value{}, errors.New("it needs a file of rows: --rows-file, or rows_file in a scenario")
	}
	list, err := v.rows.column(arguments[0].text)
	if err != nil {
		return value{}, err
	}
	called := Function{Name: "column"}
	if v.sample {
		called.Name = "sampled_column"
	}
	if numbers, ok := wholeNumbers(list); ok {
		called.Numbers = numbers
		return value{called: called, number: func(d *draw) int64 { return numbers[v.pick(d.call, len(numbers))] }}, nil
	}
	called.Texts = list
	return value{
		called: called, odd: true, among: list, bare: !slices.ContainsFunc(list, isQuoted),
		text: func(dst []byte, d *draw) []byte { return append(dst, list[v.pick(d.call, len(list))]...) },
	}, nil
}

// wholeNumbers returns the numbers that texts are. It is false if one is none, or is written in another way, such as 007.
func wholeNumbers(texts []string) (numbers []int64, ok bool) {
	numbers = make([]int64, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != text {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, true
}

// isQuoted reports whether JSON has a text in quotes: it is not a number, true or false.
func isQuoted(text string) bool {
	if text == "true" || text == "false" {
		return false
	}
	return strings.Trim(text, "+-.0123456789eE") != "" || !json.Valid([]byte(text))
}
