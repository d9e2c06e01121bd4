package request

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"rpcbench/internal/call/hint"
)

// A column is a field, or a message with columns below it.
type column struct {
	key   string // in JSON
	path  string // as the header has it
	cell  int    // its number, or -1 with fields
	field protoreflect.FieldDescriptor
	below []*column
}

// rows makes a message of every row. A cell is a field's value; a list, a map or a message is written as JSON. An empty
// cell leaves its field out.
func (in Input) rows(method protoreflect.MethodDescriptor) ([][]document, error) {
	reader, header, err := in.header("fields")
	if err != nil {
		return nil, err
	}
	root := &column{cell: -1}
	for i, path := range header {
		if err := root.add(method.Input(), path, i); err != nil {
			line, at := reader.FieldPos(i)
			return nil, fmt.Errorf("%s:%d:%d: %w", in.Name, line, at, err)
		}
	}
	var list [][]document
	for len(list) <= RequestsMax {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if errors.Is(err, csv.ErrFieldCount) {
			return nil, in.ragged(reader, len(header), len(cells))
		}
		if err != nil {
			return nil, in.csvError(err)
		}
		row := &row{name: in.Name, cells: cells, pos: reader.FieldPos}
		if _, err := row.append(root); err != nil {
			return nil, err
		}
		list = append(list, []document{{row.text, row.place()}})
	}
	return list, nil
}

// header returns a reader of the rows, and the first line, which names what sentences call so.
func (in Input) header(what string) (*csv.Reader, []string, error) {
	if err := in.checkRows(); err != nil {
		return nil, nil, err
	}
	reader := csv.NewReader(bytes.NewReader(in.Text))
	reader.ReuseRecord = true
	header, err := reader.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, fmt.Errorf("%s is empty; its first line must name the %s", in.Name, what)
	case err != nil:
		return nil, nil, in.csvError(err)
	default:
		return reader, header, nil
	}
}

// ragged says where a row ends too early, or has more than its header.
func (in Input) ragged(reader *csv.Reader, want, got int) error {
	line, at := reader.FieldPos(min(want, got-1))
	return fmt.Errorf("%s:%d:%d: number of columns: %d in this row, %d in the header", in.Name, line, at, got, want)
}

func (in Input) csvError(err error) error {
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("%s:%d:%d: not CSV: %w", in.Name, wrong.Line, wrong.Column, wrong.Err)
	}
	return fmt.Errorf("%s: not CSV: %w", in.Name, err)
}

// add puts a path of the header into the tree.
func (c *column) add(message protoreflect.MessageDescriptor, path string, cell int) error {
	at := leaf{message: message}
	var steps []step
	words := strings.Split(path, ".")
	for i, word := range words {
		steps = append(steps, step{key: word})
		next, ok := follow(message, steps)
		if !ok && at.field != nil && at.field.IsList() {
			return fmt.Errorf("column %q is inside the list %s; give the list as JSON in one column", path, at.field.Name())
		}
		if !ok && at.field != nil && next.field == at.field {
			return fmt.Errorf("column %q is inside %s, which has no fields", path, at.field.Name())
		}
		if !ok && ownJSON(next.message) {
			return fmt.Errorf("column %q is inside a %s, which is a single value", path, next.message.FullName())
		}
		if !ok {
			return fmt.Errorf("%s has no field %q%s", next.message.FullName(), word, hint.Of(word, fieldNames(next.message)))
		}
		at = next
		below, err := c.child(word, path, i == len(words)-1)
		if err != nil {
			return err
		}
		c = below
	}
	c.cell, c.field = cell, at.field
	if at.element {
		c.field = at.field.MapValue()
	}
	return nil
}

// child finds or makes a column below; the last of a path must be new.
func (c *column) child(key, path string, last bool) (*column, error) {
	for _, below := range c.below {
		if below.key == key && (last || below.cell >= 0) {
			return nil, fmt.Errorf("columns %q and %q set the same field", below.path, path)
		}
		if below.key == key {
			return below, nil
		}
	}
	below := &column{key: key, path: path, cell: -1}
	c.below = append(c.below, below)
	return below, nil
}

// A row is being written as JSON.
type row struct {
	name  string
	cells []string
	pos   func(cell int) (line, at int)
	text  []byte
	spans []cellSpan
}

// A cellSpan is the offset of a cell's text in the JSON of a row.
type cellSpan struct {
	start int
	at    string // of the cell in the file
}

// append writes a column as a JSON value, and reports whether the column had a value.
func (r *row) append(c *column) (bool, error) {
	if c.cell >= 0 {
		return r.appendCell(c)
	}
	some := false
	r.text = append(r.text, '{')
	for _, below := range c.below {
		undo := len(r.text)
		if some {
			r.text = append(r.text, ", "...)
		}
		r.text = append(append(r.text, quote(below.key)...), ": "...)
		has, err := r.append(below)
		if err != nil {
			return false, err
		}
		if !has {
			r.text = r.text[:undo]
		}
		some = some || has
	}
	r.text = append(r.text, '}')
	return some || c.field == nil && c.key == "", nil
}

// appendCell writes a cell as JSON: quoted where a text, a number or an enum's name is meant.
func (r *row) appendCell(c *column) (bool, error) {
	cell := r.cells[c.cell]
	if cell == "" {
		return false, nil
	}
	line, at := r.pos(c.cell)
	where := fmt.Sprintf("%s:%d:%d", r.name, line, at)
	r.spans = append(r.spans, cellSpan{len(r.text), where})
	quotes := quoted(c.field, cell)
	list, err := holes([]byte(cell), !quotes)
	if err != nil {
		return false, fmt.Errorf("%s: column %q: %w", where, c.path, errors.Unwrap(err))
	}
	if !quotes {
		if !json.Valid(filled([]byte(cell), list)) {
			return false, fmt.Errorf("%s: column %q: %q is not %s", where, c.path, cell, kindOf(c.field))
		}
		r.text = append(r.text, cell...)
		return true, nil
	}
	r.text = append(r.text, '"')
	from := 0
	for _, h := range list { // what functions give is escaped later
		r.text = append(r.text, escapes[syntaxJSON]([]byte(cell[from:h.start]))...)
		r.text = append(r.text, cell[h.start:h.end]...)
		from = h.end
	}
	r.text = append(r.text, escapes[syntaxJSON]([]byte(cell[from:]))...)
	r.text = append(r.text, '"')
	return true, nil
}

// place is the row's: offsets in its JSON belong to cells.
func (r *row) place() place {
	line, at := r.pos(0)
	return rowPlace{first: fmt.Sprintf("%s:%d:%d", r.name, line, at), spans: r.spans}
}

type rowPlace struct {
	first string
	spans []cellSpan
}

func (p rowPlace) at(offset int) string {
	where := p.first
	for _, s := range p.spans {
		if s.start <= offset {
			where = s.at
		}
	}
	return where
}

// quoted reports whether the JSON of a field is a string, or may be one.
func quoted(field protoreflect.FieldDescriptor, cell string) bool {
	if field.IsList() || field.IsMap() {
		return false
	}
	switch field.Kind() {
	case protoreflect.BoolKind:
		return false
	case protoreflect.EnumKind:
		number, err := strconv.ParseInt(cell, 10, 64)
		return err != nil || strconv.FormatInt(number, 10) != cell // a number stays one
	case protoreflect.MessageKind, protoreflect.GroupKind:
		switch field.Message().FullName() {
		case "google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.FieldMask",
			"google.protobuf.StringValue", "google.protobuf.BytesValue",
			"google.protobuf.Int32Value", "google.protobuf.UInt32Value", "google.protobuf.Int64Value",
			"google.protobuf.UInt64Value", "google.protobuf.FloatValue", "google.protobuf.DoubleValue":
			return true
		}
		return false
	default:
		return true
	}
}

// kindOf describes the values that an unquoted cell may have.
func kindOf(field protoreflect.FieldDescriptor) string {
	switch {
	case field.IsList():
		return `a list in JSON, such as ["a", "b"]`
	case field.IsMap():
		return `a map in JSON, such as {"a": "b"}`
	case field.Kind() == protoreflect.BoolKind:
		return "true or false"
	default:
		return fmt.Sprintf("a %s in JSON", field.Message().FullName())
	}
}
