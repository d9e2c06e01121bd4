// Package permission decides who may call a server: access lists over names, in the notation of Vanadium's permissions.
//
// A name is a list of words separated by colons, "root:alice:phone". A pattern P matches a name N if P is "..." (everyone),
// if N is P, or if N begins with P and a colon; "P:$" matches only P. NotIn takes precedence over In. A name in neither is
// refused.
package permission

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A List says who is allowed, by patterns.
type List struct {
	In    []string
	NotIn []string
}

// Check names the first that is no pattern.
func (l List) Check() error {
	for _, pattern := range slices.Concat(l.In, l.NotIn) {
		if err := check(pattern); err != nil {
			return err
		}
	}
	return nil
}

// check refuses invalid patterns.
func check(pattern string) error {
	name := strings.TrimSuffix(pattern, ":$")
	if pattern == everybody {
		return nil
	}
	if err := CheckName(name); err != nil {
		return fmt.Errorf("%q is not a pattern: %w", pattern, err)
	}
	return nil
}

// CheckName refuses invalid names: empty words, names that look like patterns, and special characters of other pattern and list
// syntaxes. As a pattern, "root:*" would match no name, and so let everyone past a NotIn.
func CheckName(name string) error {
	for word := range strings.SplitSeq(name, ":") {
		if word == "" || word == "$" || word == everybody || strings.ContainsFunc(word, strange) {
			return fmt.Errorf("%q is not a name, such as root:alice", name)
		}
	}
	return nil
}

func strange(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsControl(c) || c == utf8.RuneError || strings.ContainsRune(`/\*?[]{}(),;|"'`+"`", c)
}

const everybody = "..."

// Allows reports whether the name is allowed.
func (l List) Allows(name string) bool {
	return matchesAny(l.In, name) && !matchesAny(l.NotIn, name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, name) })
}

func matches(pattern, name string) bool {
	if pattern == everybody {
		return true
	}
	if exact, only := strings.CutSuffix(pattern, ":$"); only {
		return name == exact
	}
	rest, begins := strings.CutPrefix(name, pattern)
	return begins && (rest == "" || rest[0] == ':')
}
