package point

import (
	"fmt"
	"strings"
)

// An Error is bad input: the user wrote something that can't be meant. Package plan reports its refusals as the same
// type, so that a caller knows bad input by it.
type Error struct {
	Where   string // "my.yaml:3:5", "--set shape=0x1", or empty
	Message string // one sentence that names the key
}

func (e *Error) Error() string {
	if e.Where == "" {
		return e.Message
	}
	key, rest, _ := strings.Cut(e.Message, ": ")
	if rest != "" && e.Where == "--"+strings.ReplaceAll(key, "_", "-") {
		return e.Where + ": " + rest // the flag names the key
	}
	return e.Where + ": " + e.Message
}

// Errorf makes an Error.
func Errorf(where, format string, args ...any) *Error {
	return &Error{Where: sentence(where), Message: sentence(fmt.Sprintf(format, args...))}
}

// What an error has of a text that would fill a screen: its beginning, and its end, where the reason is. No list of known words
// is as long.
const (
	sentenceMax = 2000 // bytes
	beginning   = 500
	ending      = 300
)

// sentence cuts what is too long for an error.
func sentence(text string) string {
	if len(text) <= sentenceMax {
		return text
	}
	return strings.ToValidUTF8(text[:beginning], "") + "…" + strings.ToValidUTF8(text[len(text)-ending:], "")
}
