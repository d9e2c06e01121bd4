package scenario

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
	return e.Where + ": " + e.Message
}

// Errorf makes an Error.
func Errorf(where, format string, args ...any) *Error {
	return &Error{Where: where, Message: fmt.Sprintf(format, args...)}
}

// wordBytesMax is more than any known word has: what is longer is near to none.
const wordBytesMax = 100

// Hint ends a sentence about an unknown word: with the known word that is near enough to have been meant, else with
// all the known ones.
func Hint(word string, known []string) string {
	near, least := "", (len([]rune(word))+1)/3+1
	for _, k := range known {
		if len(word) > wordBytesMax {
			break
		}
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least {
			near, least = k, d
		}
	}
	switch {
	case near != "":
		return fmt.Sprintf("; did you mean %q?", near)
	case len(known) == 0:
		return "; there is none"
	default:
		return "; known: " + strings.Join(known, ", ")
	}
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b (the optimal
// string alignment distance).
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		for j := 1; j <= len(to); j++ {
			replace := rows[i-1][j-1]
			if from[i-1] != to[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(from)][len(to)]
}
