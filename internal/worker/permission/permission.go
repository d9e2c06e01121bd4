// Package permission says who may call a server: access lists over names, in the notation of Vanadium's permissions.
//
// A name is words with colons between them, "root:alice:phone". A pattern P matches a name N when P is "..." (everybody),
// when N is P, or when N begins with P and a colon; "P:$" matches P alone. NotIn wins over In, and who is in neither is
// out.
package permission

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A List is who is let in, by patterns.
type List struct {
	In    []string `json:"In"`
	NotIn []string `json:"NotIn"`
}

// read is the only tag: all of a benchmark server's methods need it.
const read = "Read"

// Parse reads permissions such as {"Read": {"In": ["root:alice"], "NotIn": ["root:alice:guest"]}}.
func Parse(text string) (List, error) {
	var tags map[string]List
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&tags); err != nil {
		return List{}, fmt.Errorf(`%q is not like {"Read": {"In": ["..."]}}: %w`, text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return List{}, fmt.Errorf("%q goes on behind its end", text)
	}
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		if tag != read {
			return List{}, fmt.Errorf("the tag %q is not used: all methods need %s", tag, read)
		}
	}
	list := tags[read]
	if err := list.Check(); err != nil {
		return List{}, err
	}
	return list, nil
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

// check refuses what is no pattern.
func check(pattern string) error {
	name := strings.TrimSuffix(pattern, ":$")
	if pattern == everybody {
		return nil
	}
	if err := CheckName(name); err != nil {
		return fmt.Errorf("%q is no pattern: %w", pattern, err)
	}
	return nil
}

// CheckName refuses what is no name: empty words, and what would read as a pattern.
func CheckName(name string) error {
	for word := range strings.SplitSeq(name, ":") {
		if word == "" || word == "$" || word == everybody || strings.ContainsAny(word, "/\\ \t\n") {
			return fmt.Errorf("%q is no name such as root:alice", name)
		}
	}
	return nil
}

const everybody = "..."

// Allows tells whether the name is let in.
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
