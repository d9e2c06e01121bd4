package plan

import (
	"cmp"
	"slices"
	"strings"
)

// UntilSteady lists the warm-ups that end when their load is steady, each once, the shortest first: "2s to 6s and 8s to 20s".
// It is "" where there is none.
func UntilSteady(trials []Trial) string {
	var found []Spec
	for _, t := range trials {
		same := func(s Spec) bool { return s.WarmUp() == t.Spec.WarmUp() }
		if t.Spec.UntilSteady() && !slices.ContainsFunc(found, same) {
			found = append(found, t.Spec)
		}
	}
	slices.SortFunc(found, func(a, b Spec) int {
		return cmp.Or(cmp.Compare(a.WarmupNs, b.WarmupNs), cmp.Compare(a.WarmupMostNs, b.WarmupMostNs))
	})
	words := make([]string, len(found))
	for i, s := range found {
		words[i] = strings.TrimSuffix(s.WarmUp(), ", until steady")
	}
	return strings.Join(words, " and ")
}
