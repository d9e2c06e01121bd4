// Package yamlbound refuses YAML that a parser would take gigabytes for, before it is parsed: the parser's memory grows with
// the square of the nesting, and of the empty lines in a block of text.
package yamlbound

import (
	"bytes"
	"fmt"
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
