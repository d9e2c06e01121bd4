package compare

import (
	"fmt"
	"slices"
	"strings"
)

// targets returns the addresses of the running servers that a side was measured against, one at each time; nil if at some time
// there was none, or several.
func (s *Set) targets() []string {
	if len(s.parts) == 0 {
		return s.target()
	}
	var all []string
	for _, part := range s.parts {
		at := part.target()
		if at == nil {
			return nil
		}
		if !slices.Contains(all, at[0]) {
			all = append(all, at[0])
		}
	}
	return all
}

// target is targets of one time.
func (s *Set) target() []string {
	for _, f := range s.Figures {
		if f.Target == "" || f.Target != s.Figures[0].Target {
			return nil
		}
	}
	if len(s.Figures) == 0 {
		return nil
	}
	return []string{s.Figures[0].Target}
}

// ofOtherServers has points of sides match that were measured against one server at a time, but not all against the same: the
// servers are what is compared, or one that was addressed in several ways. It returns a sentence that says so, "" where it
// changes nothing.
func ofOtherServers(base *Set, sides []Set) (note string) {
	all := []*Set{base}
	for i := range sides {
		all = append(all, &sides[i])
	}
	var targets, words []string
	for _, s := range all {
		at := s.targets()
		if at == nil {
			return ""
		}
		targets, words = append(targets, at...), append(words, fmt.Sprintf("%s against %s", s.Name, listed(at)))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(targets)))) == 1 {
		return ""
	}
	for _, s := range all {
		s.leaveOutTarget()
	}
	return "Measured against different addresses: " + strings.Join(words, ", ") + "."
}

// maxListed is the maximum number of addresses in a sentence.
const maxListed = 3

// listed is "localhost:1, localhost:2 and 4 more".
func listed(targets []string) string {
	switch left := len(targets) - maxListed; {
	case len(targets) == 1:
		return targets[0]
	case left > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(targets[:maxListed], ", "), left)
	default:
		last := len(targets) - 1
		return strings.Join(targets[:last], ", ") + " and " + targets[last]
	}
}

// leaveOutTarget has points no longer name the server. Those of several times that differed only in it become one.
func (s *Set) leaveOutTarget() {
	if len(s.parts) == 0 {
		s.Figures = withoutTarget(s.Figures)
		return
	}
	var joined figures
	for n, part := range s.parts {
		for _, f := range withoutTarget(part.Figures) {
			joined.join(f, n)
		}
	}
	s.Figures = joined.all
}

func withoutTarget(all []Figure) []Figure {
	all = slices.Clone(all)
	for i := range all {
		all[i].Point = all[i].Any
	}
	return all
}
