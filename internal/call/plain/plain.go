// Package plain removes from foreign text whatever could control a terminal or mislead a reader: control characters and invisible
// characters, such as those that change the writing direction.
package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Example is the maximum number of characters of foreign text that are shown. Results files keep more.
const Example = 200

// Hidden reports whether a character is not to be shown: C0 and C1, and all that only formats.
func Hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// Line turns a text into one line: each run of white space or invisible characters becomes one space.
func Line(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || Hidden(r) }), " ")
}

// Short is a Line of which a long one has its beginning only.
func Short(text string, most int) string {
	runes := []rune(Line(text))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// Lines keeps the lines of a text, and its tabs; each other hidden character becomes a space.
func Lines(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && Hidden(r) {
			return ' '
		}
		return r
	}, text)
}

// A Writer writes Lines. A character must come in one piece.
type Writer struct{ To io.Writer }

// Write writes the text as Line returns it, and returns the length of its argument.
func (w Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.To, Lines(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Escape returns JSON in which invisible characters are escaped; encoding/json leaves those from U+007F on unescaped. They occur
// only in strings.
func Escape(json []byte) []byte {
	out := make([]byte, 0, len(json))
	for _, r := range string(json) {
		if r == '\n' || !Hidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
