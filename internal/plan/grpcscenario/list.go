package grpcscenario

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// patterns are the names that scenario_config has, but for its sweeps, a line each: {a,b} stands for either. What they mean the
// grammar says.
//
//go:embed names.txt
var patterns string

// Patterns lists the names as {a,b} of alternatives.
func Patterns() []string { return strings.Fields(patterns) }

// Names lists the names, sorted.
var Names = sync.OnceValue(func() []string {
	var names []string
	for _, pattern := range Patterns() {
		names = append(names, expand(pattern)...)
	}
	slices.Sort(names)
	return names
})

// expand writes a pattern out.
func expand(pattern string) []string {
	before, rest, found := strings.Cut(pattern, "{")
	if !found {
		return []string{pattern}
	}
	inner, after, _ := strings.Cut(rest, "}")
	var names []string
	for choice := range strings.SplitSeq(inner, ",") {
		for _, end := range expand(after) {
			names = append(names, before+choice+end)
		}
	}
	return names
}
