package secret

import "strings"

var (
	uuid        = pattern(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	hexadecimal = pattern(`^[0-9a-f]{32,}$|^[0-9A-F]{32,}$`)
)

const (
	// randomChanges is the least part of a word's characters that are of another kind (a-z, A-Z, 0-9) than the one before.
	// Of random letters and digits it is 0.6.
	randomChanges = 0.35
	// randomNumbers is the minimum number of runs of digits in such a word; a name sometimes ends in one.
	randomNumbers = 2
)

// random reports whether a long word looks like a generated key. A UUID is a name, not a secret.
func random(word string) bool {
	switch {
	case uuid().MatchString(word):
		return false
	case hexadecimal().MatchString(word):
		return true
	}
	changes, numbers, last := 0, 0, byte(0)
	for i := range len(word) {
		kind := kindOf(word[i])
		if kind != last {
			changes++
			if kind == '0' {
				numbers++
			}
		}
		last = kind
	}
	return numbers >= randomNumbers && strings.ToLower(word) != word && float64(changes) >= randomChanges*float64(len(word))
}

// kindOf is a for small letters, A for capital ones, 0 for digits.
func kindOf(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z':
		return 'a'
	case 'A' <= c && c <= 'Z':
		return 'A'
	case '0' <= c && c <= '9':
		return '0'
	default:
		return '-'
	}
}
