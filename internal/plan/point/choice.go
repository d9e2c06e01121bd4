package point

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
)

// A Choice takes some points of cases and leaves the others out. The zero Choice takes all.
type Choice struct {
	pattern *regexp.Regexp // nil matches all
	kinds   []string       // empty has all
	asked   string         // as the user wrote it
}

// ChoiceOf takes the points whose case's title or whose keys match a regular expression, and that have one of the kinds, given
// with commas. An empty text chooses nothing.
func ChoiceOf(pattern, kinds string) (Choice, error) {
	var c Choice
	if pattern != "" {
		var err error
		if c.pattern, err = CasePattern(pattern); err != nil {
			return c, err
		}
		c.asked = "--case '" + pattern + "'"
	}
	if kinds == "" {
		return c, nil
	}
	for kind := range strings.SplitSeq(kinds, ",") {
		kind = strings.TrimSpace(kind)
		if !slices.Contains(Kinds(), kind) {
			return c, fmt.Errorf("--kind %s: %q is unknown%s", kinds, kind, hint.Of(kind, Kinds()))
		}
		c.kinds = append(c.kinds, kind)
	}
	c.asked = strings.TrimSpace(c.asked + " --kind " + kinds)
	return c, nil
}

// CasePattern compiles the regular expression of a flag --case.
func CasePattern(pattern string) (*regexp.Regexp, error) {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("--case %s: not a regular expression: %s", pattern,
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return compiled, nil
}

// IsZero reports whether the Choice takes all.
func (c Choice) IsZero() bool { return c.asked == "" }

// String returns the user's text.
func (c Choice) String() string { return c.asked }

// Takes reports whether a point of a case with the title is taken. A kind that is not known yet may be any.
func (c Choice) Takes(title string, s Spec) bool {
	return c.TakesKind(s.Kind) && (c.TakesName(title) || c.pattern.MatchString(keysOf(s)))
}

// TakesKind reports whether calls of the kind are taken; one that is not known yet may be any.
func (c Choice) TakesKind(kind string) bool {
	return len(c.kinds) == 0 || kind == "" || slices.Contains(c.kinds, kind)
}

// TakesName reports whether the pattern matches a name.
func (c Choice) TakesName(name string) bool { return c.pattern == nil || c.pattern.MatchString(name) }

// NoMatch returns a sentence that no case matches, with some of the titles; or with the kinds that there are, if none of them was
// chosen.
func (c Choice) NoMatch(titles, kinds []string) string {
	const most = 10
	if !slices.ContainsFunc(kinds, c.TakesKind) {
		return "no case matches; the kinds are " + strings.Join(kinds, ", ")
	}
	var quoted []string
	for _, title := range titles[:min(len(titles), most)] {
		quoted = append(quoted, strconv.Quote(title))
	}
	return "no case matches; the titles are " + strings.Join(quoted, ", ")
}

// keysOf returns a point's keys with their values, as in reports: "kind=unary request_bytes=1000".
func keysOf(s Spec) string {
	var keys []string
	for _, column := range columns {
		if text := column.Text(s); text != "" {
			keys = append(keys, column.Name+"="+text)
		}
	}
	return strings.Join(keys, " ")
}
