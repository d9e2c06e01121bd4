// Package yamlbound refuses YAML that a parser would take gigabytes for, before it is parsed: the parser's memory grows with
// the square of the nesting, and of the empty lines in a block of text. It decodes what is left strictly, with errors of one
// sentence that say where.
package yamlbound

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Limits that nothing written by hand comes near to.
const (
	nestingMax    = 64
	emptyLinesMax = 2000
)

// Check limits a YAML text. Its error says what there is too much of. line is where, from 1, or the last line checked if there is
// no error. Brackets in quotes and comments count too, because no real file leaves that many of them open.
func Check(text []byte) (line int, err error) {
	open, empty := 0, 0
	for content := range bytes.Lines(text) {
		line++
		content = bytes.TrimSpace(content)
		if len(content) == 0 {
			empty++
		}
		if entries(content)+deepest(content, &open) > nestingMax {
			return line, fmt.Errorf("values are nested more than %d levels deep", nestingMax)
		}
		if empty > emptyLinesMax {
			return line, fmt.Errorf("the file has more than %d empty lines", emptyLinesMax)
		}
	}
	return line, nil
}

// Decode decodes a file of one YAML document, or none, and refuses unknown and repeated keys. Its error begins with the place.
func Decode(path string, text []byte, into any) error {
	if line, err := Check(text); err != nil {
		return fmt.Errorf("%s:%d: %w", path, line, err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(TrimMark(text)), yaml.Strict())
	if err := decoder.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return Located(path, err)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: a second YAML document begins; the file has to be one", path)
	}
	return nil
}

// Located puts the place before an error: the file, and line and column where the error knows them.
func Located(path string, err error) error {
	message := err.Error()
	if placed, ok := errors.AsType[interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}](err); ok { // the library's have these methods
		message = cmp.Or(mistyped(err), placed.GetMessage())
		if at := placed.GetToken(); at != nil && at.Position != nil {
			path = fmt.Sprintf("%s:%d:%d", path, at.Position.Line, at.Position.Column)
		}
	}
	return fmt.Errorf("%s: %s", path, strings.Join(strings.Fields(message), " "))
}

// mistyped says what is given where something else is expected, which the library says with names of Go and YAML; "" is another
// error.
func mistyped(err error) string {
	const sentence = "%s is given; expected %s"
	if wrong, ok := errors.AsType[*yaml.UnexpectedNodeTypeError](err); ok {
		return fmt.Sprintf(sentence, nodeWord(wrong.Actual), nodeWord(wrong.Expected))
	}
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		return fmt.Sprintf(sentence, typeWord(wrong.SrcType), typeWord(wrong.DstType))
	}
	return ""
}

func nodeWord(is ast.NodeType) string {
	switch is {
	case ast.NullType:
		return "nothing"
	case ast.MappingType, ast.MappingValueType:
		return "a map"
	case ast.SequenceType:
		return "a list"
	default:
		return "one value"
	}
}

func typeWord(is reflect.Type) string {
	if is == nil {
		return "nothing"
	}
	switch is.Kind() {
	case reflect.Map, reflect.Struct:
		return "a map"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Pointer:
		return typeWord(is.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}

// TrimMark returns a text without the byte order mark with which editors on Windows begin a file. The parser would take it for a
// part of the first key.
func TrimMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// entries counts the lists and keys that a line opens with its first words, as in "- - - a".
func entries(line []byte) int {
	count := 0
	for len(line) > 1 && (line[0] == '-' || line[0] == '?') && (line[1] == ' ' || line[1] == '\t') {
		line = bytes.TrimLeft(line[1:], " \t")
		count++
	}
	return count
}

// deepest returns the most brackets that are open anywhere in a line, of which open were so before it and are after it.
func deepest(line []byte, open *int) int {
	most := *open
	for _, b := range line {
		switch b {
		case '[', '{':
			*open++
			most = max(most, *open)
		case ']', '}':
			*open = max(0, *open-1)
		}
	}
	return most
}
