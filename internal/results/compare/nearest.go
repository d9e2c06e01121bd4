package compare

import (
	"fmt"
	"strings"
)

// maxLikened is the maximum number of figures of a side that are likened with those of another one.
const maxLikened = 1000

// A DisjointError says that nothing was measured in all sides of a comparison.
type DisjointError struct {
	Sentence string
	By       string // the axis by which what was measured can be compared; empty if none is known
}

// Error implements error. It names the flag of commands that compare.
func (e *DisjointError) Error() string {
	if e.By == "" {
		return e.Sentence
	}
	return e.Sentence + "; --by " + e.By + " compares its values"
}

// nearest returns how the two most similar points differ, or which metrics they have, and the axis of the only difference.
func nearest(base Set, sides []Set) (text, by string) {
	var best []string
	var a, b Figure
	ours := likened(base)
	for _, side := range sides {
		for _, x := range ours {
			for _, y := range likened(side) {
				if d := differences(x.Keys, y.Keys); best == nil || len(d) < len(best) {
					best, a, b = append([]string{}, d...), x, y
				}
			}
		}
	}
	switch {
	case best == nil && len(base.Figures) > 0 && len(sides[0].Figures) > 0:
		return fmt.Sprintf(": %s has %s, for example, and %s has %s", base.Name, base.Figures[0].Point, sides[0].Name,
			sides[0].Figures[0].Point), ""
	case best == nil:
		return "", ""
	case len(best) == 0 || a.Point == b.Point:
		return fmt.Sprintf(": both have %s, and no metric of it in common", a.Point), ""
	default:
		return fmt.Sprintf(": the points most alike are %s and %s, which differ in %s", a.Point, b.Point, strings.Join(best, ", ")),
			onlyAxis(best)
	}
}

// likened are the first figures of a set whose points have keys.
func likened(s Set) (some []Figure) {
	for _, f := range s.Figures {
		if len(f.Keys) > 0 && len(some) < maxLikened {
			some = append(some, f)
		}
	}
	return some
}

// onlyAxis returns the only key in which points differ, if they can be compared by it.
func onlyAxis(differences []string) string {
	name, _, _ := strings.Cut(differences[0], " ")
	if _, ok := AxisOf(name); !ok || len(differences) > 1 {
		return ""
	}
	return name
}

// differences are the keys whose values differ: "request_bytes (100, 1000)".
func differences(a, b []Key) []string {
	values := map[string]string{}
	for _, k := range b {
		values[k.Name] = k.Value
	}
	var found []string
	for _, k := range a {
		if other := values[k.Name]; other != k.Value {
			found = append(found, fmt.Sprintf("%s (%s, %s)", k.Name, orNone(k.Value), orNone(other)))
		}
		delete(values, k.Name)
	}
	for _, k := range b {
		if value, left := values[k.Name]; left && value != "" {
			found = append(found, fmt.Sprintf("%s (none, %s)", k.Name, value))
		}
	}
	return found
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
