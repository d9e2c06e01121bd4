// Package words writes plans and commands for people.
package words

import "strings"

// Shell quotes a word of a command that a shell would not leave as it is.
func Shell(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./:=,@%+", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
