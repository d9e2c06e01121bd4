package request

import (
	"bytes"
	"slices"
)

// A hole is a function's place in a text: text[start:end] is {{…}}.
type hole struct {
	start, end int
	quoted     bool // it stands inside a JSON string
}

// holes finds the holes of a text. In JSON a hole may be a value, or part of a string; elsewhere quotes have no meaning.
func holes(text []byte, isJSON bool) ([]hole, error) {
	var list []hole
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '{' && i+1 < len(text) && text[i+1] == '{':
			end := holeEnd(text, i+2)
			if end < 0 {
				return nil, faultf(i, `the function that begins here is not closed; write {{"{{"}} for literal braces`)
			}
			list = append(list, hole{i, end, quoted})
			i = end - 1
		case isJSON && quoted && text[i] == '\\':
			i++
		case isJSON && text[i] == '"':
			quoted = !quoted
		}
	}
	return list, nil
}

// holeEnd returns the offset behind the braces that end a hole, or -1. Strings in it are passed over.
func holeEnd(text []byte, from int) int {
	for i := from; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '"', '`':
			if i = stringEnd(text, i) - 1; i < 0 {
				return -1
			}
		case '}':
			if i+1 < len(text) && text[i+1] == '}' {
				return i + 2
			}
		}
	}
	return -1
}

// stringEnd returns the offset behind the string that begins at from, or 0. A backslash escapes in double quotes only.
func stringEnd(text []byte, from int) int {
	for i := from + 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == text[from]:
			return i + 1
		case text[i] == '\\' && text[from] == '"':
			i++
		}
	}
	return 0
}

// wholeEnd returns the end of a value that ends there in the filled text: of a hole, filled has the value at its beginning.
func wholeEnd(list []hole, end int) int {
	i, _ := slices.BinarySearchFunc(list, end, func(h hole, end int) int { return h.end - end })
	if i < len(list) && list[i].start < end {
		return list[i].end
	}
	return end
}

// filled returns the text with something harmless and as long in every hole, so that JSON's offsets are the text's.
func filled(text []byte, list []hole) []byte {
	if len(list) == 0 {
		return text
	}
	text = slices.Clone(text)
	for _, h := range list {
		if h.quoted {
			copy(text[h.start:], bytes.Repeat([]byte{'x'}, h.end-h.start))
		} else {
			copy(text[h.start:], bytes.Repeat([]byte{' '}, h.end-h.start))
			text[h.start] = '0'
		}
	}
	return text
}
