package request

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A fault is a mistake at an offset of a text.
type fault struct {
	offset int
	err    error
}

func (f *fault) Error() string { return f.err.Error() }

// Unwrap returns the cause.
func (f *fault) Unwrap() error { return f.err }

func faultf(offset int, format string, args ...any) *fault {
	return &fault{offset, fmt.Errorf(format, args...)}
}

// A place translates an offset of a document into what its author sees, such as a line.
type place interface {
	at(offset int) string
}

// inText is the place of a document that begins at an offset of a text.
type inText struct {
	name  string
	text  []byte
	start int
}

// at returns name:line:column, both from 1, columns in characters.
func (p inText) at(offset int) string {
	before := p.text[:min(max(p.start+offset, 0), len(p.text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%s:%d:%d", p.name, line, column)
}

// offsetOf is at's other direction, within a text.
func offsetOf(text []byte, line, column int) int {
	offset := 0
	for range line - 1 {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			return len(text)
		}
		offset += next + 1
	}
	for range column - 1 {
		_, n := utf8.DecodeRune(text[offset:])
		offset += n
	}
	return min(offset, len(text))
}

// located makes the sentence of a fault: its place, then what is wrong.
func located(p place, err error) error {
	if f, ok := errors.AsType[*fault](err); ok {
		return fmt.Errorf("%s: %w", p.at(f.offset), f.err)
	}
	return fmt.Errorf("%s: %w", p.at(0), err)
}
