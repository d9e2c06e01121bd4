package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
)

// JSONVersion changes when a field of a JSON report changes its meaning or goes. New ones come without.
const JSONVersion = 1

// An Object is a record for programs, and in JSON an object that keeps the order of its fields. In CSV a value is nil, a
// string, a number, or prints itself as one.
type Object []analysis.Field

// MarshalJSON writes the fields in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, field := range o {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := marshal(field.Value)
		if err != nil {
			return nil, err
		}
		text = append(strconv.AppendQuote(text, field.Name), ':')
		text = append(text, value...)
	}
	return append(text, '}'), nil
}

// marshal leaves < and > in strings as they are, as WriteJSON does. What puts JSON into a page escapes them.
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return text.Bytes(), err
}

// Some is a field, or nothing where its value is the zero value.
func Some[T comparable](name string, value T) Object {
	if value == *new(T) {
		return nil
	}
	return Object{{Name: name, Value: value}}
}

// List makes an empty list of a nil one, which JSON would print as null.
func List[T any](items []T) []T { return append([]T{}, items...) }

// WriteJSON prints an indented value, with invisible characters in its strings escaped.
func WriteJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(plain.Escape(text.Bytes()))
	return err
}

// WriteCSV prints a header, the names of the fields of blank or else of the first record, and a line for each record: RFC 4180
// with line feeds. All records have the same fields.
func WriteCSV(w io.Writer, blank Object, records iter.Seq[Object]) error {
	writer := csv.NewWriter(w)
	headed := false
	head := func(fields Object) error {
		headed = true
		names := make([]string, len(fields))
		for i, field := range fields {
			names[i] = field.Name
		}
		return writer.Write(names)
	}
	if blank != nil {
		if err := head(blank); err != nil {
			return err
		}
	}
	for fields := range records {
		values := make([]string, len(fields))
		for i, field := range fields {
			values[i] = Value(field.Value)
			if text, ok := field.Value.(string); ok {
				values[i] = inSpreadsheet(text)
			}
		}
		if !headed {
			if err := head(fields); err != nil {
				return err
			}
		}
		if err := writer.Write(values); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

// Value prints a field's value without separators, "" for nil.
func Value(value any) string {
	switch v := value.(type) {
	case nil, string, int64, float64:
		return point.Printed(v)
	case fmt.Stringer:
		return v.String()
	default:
		panic(fmt.Sprintf("document: a value of type %T has no text", value))
	}
}

// inSpreadsheet makes one line of a text, and keeps a spreadsheet from taking it for a formula.
func inSpreadsheet(text string) string {
	text = plain.Line(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}
