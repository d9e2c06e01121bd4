package scenario

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-shellwords"
)

// SplitWords splits a text into words as a shell does: at white space that is neither quoted nor escaped. Nothing is
// expanded. What a shell would take for an operator must be quoted.
func SplitWords(text string) ([]string, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	parser := &shellwords.Parser{}
	words, err := parser.Parse(text)
	if err != nil {
		return nil, errors.New("a quote or a parenthesis in it has no end, or needs quotes itself")
	}
	if parser.Position >= 0 {
		return nil, fmt.Errorf("%q in it needs quotes", string([]rune(text)[parser.Position]))
	}
	return words, nil
}

// jvmOptions accepts a text that a shell could split into words; whether a JVM knows them is the JVM's to say.
func jvmOptions(text string) (string, error) {
	words, err := SplitWords(text)
	if err != nil {
		return "", fmt.Errorf("%q can't be split into words: %w", text, err)
	}
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") && !strings.HasPrefix(words[0], "@") {
		return "", fmt.Errorf("%q is no option of a JVM, such as -Xmx2g", words[0])
	}
	return strings.TrimSpace(text), nil
}
