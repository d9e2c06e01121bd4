package compare

import (
	"fmt"
	"slices"
	"strings"
)

// target returns the address of the running server that all of a side was measured against; "" if there is none, or several.
func (s *Set) target() string {
	var at string
	for i, f := range s.Figures {
		if i > 0 && f.Target != at {
			return ""
		}
		at = f.Target
	}
	return at
}

// ofOtherServers has points of sides match that were measured against one server each, but not all against the same: the
// servers are what is compared, or one that was addressed in several ways. It returns a sentence that says so, "" where it
// changes nothing.
func ofOtherServers(base *Set, sides []Set) (note string) {
	all := []*Set{base}
	for i := range sides {
		all = append(all, &sides[i])
	}
	var targets, words []string
	for _, s := range all {
		at := s.target()
		if at == "" {
			return ""
		}
		targets, words = append(targets, at), append(words, fmt.Sprintf("%s against %s", s.Name, at))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(targets)))) == 1 {
		return ""
	}
	for _, s := range all {
		s.Figures = slices.Clone(s.Figures)
		for i := range s.Figures {
			s.Figures[i].Point = s.Figures[i].Any
		}
	}
	return "Measured against different addresses: " + strings.Join(words, ", ") + "."
}
