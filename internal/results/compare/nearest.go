package compare

import (
	"fmt"
	"strings"
)

// nearest returns how the two most similar points differ, or which metrics they have.
func nearest(base Set, sides []Set) string {
	var best []string
	var a, b Figure
	for _, side := range sides {
		for _, x := range base.Figures {
			for _, y := range side.Figures {
				if len(x.Keys) == 0 || len(y.Keys) == 0 {
					continue
				}
				if d := differences(x.Keys, y.Keys); best == nil || len(d) < len(best) {
					best, a, b = append([]string{}, d...), x, y
				}
			}
		}
	}
	switch {
	case best == nil:
		return ""
	case len(best) == 0 || a.Point == b.Point:
		return fmt.Sprintf(": both have %s, and no metric of it in common", a.Point)
	default:
		return fmt.Sprintf(": the points most alike are %s and %s, which differ in %s%s", a.Point, b.Point, strings.Join(best, ", "),
			axisHint(best))
	}
}

// axisHint says how to compare by the only key in which points differ, if that can be done.
func axisHint(differences []string) string {
	name, _, _ := strings.Cut(differences[0], " ")
	if _, ok := AxisOf(name); !ok || len(differences) > 1 {
		return ""
	}
	return "; --by " + name + " compares its values"
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
