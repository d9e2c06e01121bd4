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
	return &Error{Where: where, Message: fmt.Sprintf(format, args...)}
}
