package compare

import (
	"fmt"
	"slices"
	"strings"
)

// maxLikened is the maximum number of figures of a side that are likened with those of another one.
const maxLikened = 1000

// A DisjointError says that nothing was measured in all sides of a comparison.
type DisjointError struct {
	Sentence string
	By       string // the axis by which what was measured can be compared; empty if none is known

	Base, Side string       // of which the points most alike are; empty where nothing is alike
	Differ     []Difference // of these points
}

// A Difference is a key of which two points have different values.
type Difference struct{ Key, Base, Side string }

// String is "request_bytes (100, 1000)".
func (d Difference) String() string { return fmt.Sprintf("%s (%s, %s)", d.Key, d.Base, d.Side) }

// Error implements error. It names the flag of commands that compare.
func (e *DisjointError) Error() string {
	if e.By == "" {
		return e.Sentence
	}
	return e.Sentence + "; --by " + e.By + " compares its values"
}

// disjoint says that sides have nothing in common with their base: how the two most similar points differ, or which metrics they
// have, and the axis of the only difference.
func disjoint(base Set, sides []Set) *DisjointError {
	e := &DisjointError{Sentence: fmt.Sprintf("nothing was measured in both %s and %s", base.Name, names(sides))}
	isFound := false
	var a, b Figure
	ours := likened(base)
	for _, side := range sides {
		for _, x := range ours {
			for _, y := range likened(side) {
				if d := differences(x.Keys, y.Keys); !isFound || len(d) < len(e.Differ) {
					isFound, e.Side, e.Differ, a, b = true, side.Name, d, x, y
				}
			}
		}
	}
	switch {
	case !isFound && len(base.Figures) > 0 && len(sides[0].Figures) > 0:
		e.Sentence += fmt.Sprintf(": %s has %s, for example, and %s has %s", base.Name, base.Figures[0].Point, sides[0].Name,
			sides[0].Figures[0].Point)
	case !isFound:
	case len(e.Differ) == 0 || a.Point == b.Point:
		e.Sentence += fmt.Sprintf(": both have %s, and no metric of it in common", a.Point)
		e.Side, e.Differ = "", nil
	default:
		words := make([]string, len(e.Differ))
		for i, d := range e.Differ {
			words[i] = d.String()
		}
		e.Sentence += fmt.Sprintf(": the points most alike are %s and %s, which differ in %s", a.Point, b.Point,
			strings.Join(words, ", "))
		e.Base, e.By = base.Name, onlyAxis(e.Differ)
	}
	return e
}

// HasCommon reports whether there is something that Of compares.
func HasCommon(base Set, sides ...Set) bool {
	c, sides := &Comparison{}, slices.Clone(sides)
	ofOtherServers(&base, sides)
	for _, side := range sides {
		c.add(base, side)
	}
	return len(c.Tables) > 0 || len(c.Lost) > 0
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
func onlyAxis(differences []Difference) string {
	name := differences[0].Key
	if _, ok := AxisOf(name); !ok || len(differences) > 1 {
		return ""
	}
	return name
}

// differences are the keys whose values differ.
func differences(a, b []Key) []Difference {
	values := map[string]string{}
	for _, k := range b {
		values[k.Name] = k.Value
	}
	var found []Difference
	for _, k := range a {
		if other := values[k.Name]; other != k.Value {
			found = append(found, Difference{k.Name, orNone(k.Value), orNone(other)})
		}
		delete(values, k.Name)
	}
	for _, k := range b {
		if value, left := values[k.Name]; left && value != "" {
			found = append(found, Difference{k.Name, "none", value})
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
