package point

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/stack"
)

// A Column is a column of reports for a key. Its values are printed. Two points are equal if all columns are.
type Column struct {
	Name       string
	Is, Absent string // for the manual: what it is, with its unit, and what it is empty for
	Usual      string // the value that a name of the point leaves out
	// Carrier marks a column about who carries the calls, and how. All other columns describe what is carried.
	Carrier bool

	value func(Spec) any
}

// Value is a string, an int64, a float64, or nil where the point has none.
func (c Column) Value(s Spec) any { return c.value(s) }

// Text is the value without separators, "" for none.
func (c Column) Text(s Spec) string { return Printed(c.value(s)) }

// Printed prints a column's value.
func Printed(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// sealed lists the columns of the scripting contract, in order. Other columns follow those that a row had when it was sealed.
var sealed = []string{
	"stack", "server", "protocol", "kind", "method", "requests", "request_sizes", "message", "codec", "request_bytes",
	"response_bytes", "messages", "message_rate_per_sec", "batch", "connections", "in_flight", "streams", "servers", "clients",
	"load", "offered_per_sec", "ramp", "security", "network", "compression", "payload", "link", "deadline_ns", "background",
	"client_cpus", "server_cpus", "options", "jvm_options",
}

// appended lists the first columns added after the sealing, in order. Existing columns never move: later ones follow everything
// that a row had by then.
var appended = []string{"label", "messages_per_stream", "binary", "client_hosts", "server_hosts"}

var columns = declaredColumns()

// declaredColumns are the sealed columns, those that were appended, and the others as they are declared.
func declaredColumns() []Column {
	var all []Column
	for _, k := range declared {
		all = append(all, k.Columns...)
	}
	order := slices.Concat(sealed, appended)
	place := func(c Column) int {
		if i := slices.Index(order, c.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(all, func(a, b Column) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// Columns returns all columns. Together they distinguish any two points.
func Columns() []Column { return columns }

// Sealed returns the columns before a row's figures.
func Sealed() []Column { return columns[:len(sealed)] }

// Appended returns the columns declared after the order was sealed. Latest returns those of them that follow everything else in a
// row.
func Appended() []Column { return columns[len(sealed):] }

// Latest are the last of Appended.
func Latest() []Column { return columns[len(sealed)+len(appended):] }

// ColumnNamed finds a column.
func ColumnNamed(name string) (Column, bool) {
	i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return columns[i], true
}

// An ID is equal for Specs that measure the same: all columns are equal. The measured duration is not part of it.
type ID string

// ID has the printed values of all columns that have one: `stack="grpc-go" kind="unary" batch="10"`.
func (s Spec) ID() ID {
	var id []byte
	for _, c := range columns {
		if text := c.Text(s); text != "" {
			id = append(append(id, c.Name...), '=')
			id = append(strconv.AppendQuote(id, text), ' ')
		}
	}
	return ID(strings.TrimSuffix(string(id), " "))
}

// Sides part results by a key, to be set against each other.
type Sides struct {
	of    func(Spec) string
	blank func(*Spec)
}

// Of names the side of a point.
func (s *Sides) Of(spec Spec) string {
	if text := s.of(spec); text != "" {
		return text
	}
	return "none"
}

// Blank returns the point without what distinguishes the sides, including what depends on that value.
func (s *Sides) Blank(spec Spec) Spec {
	s.blank(&spec)
	return spec
}

// called makes a column empty for codecs, which make no calls.
func called(value func(Spec) any) func(Spec) any {
	return func(s Spec) any {
		if s.Coding() {
			return nil
		}
		return value(s)
	}
}

// payloadBytes returns a payload's size. It is empty for calls that only connect, for codecs and for foreign methods.
func payloadBytes(field func(Spec) int) func(Spec) any {
	return func(s Spec) any {
		if s.Kind == stack.KindConnect || s.Coding() || s.Method != nil {
			return nil
		}
		return int64(field(s))
	}
}

// plain is a text that is nil where it is empty.
func plain(field func(Spec) string) func(Spec) any {
	return func(s Spec) any {
		if text := field(s); text != "" {
			return text
		}
		return nil
	}
}

// positive is a number that is nil where there is none.
func positive[N int | int64 | float64](field func(Spec) N) func(Spec) any {
	return func(s Spec) any {
		n := field(s)
		if n <= 0 {
			return nil
		}
		if rate, ok := any(n).(float64); ok {
			return rate
		}
		return int64(n)
	}
}

// pairs are sorted "k=v;k=v".
func pairs(set map[string]string) string {
	list := make([]string, 0, len(set))
	for name, value := range set {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return strings.Join(list, ";")
}
