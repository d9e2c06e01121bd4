package cli

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/result"
)

// replayNote says what is replayed, and what is not as it was then: this machine, this binary, the libraries of stacks.
func replayNote(old *result.File, f *fleet) string {
	var differ []string
	add := func(name string, then, now any) {
		if then != now {
			differ = append(differ, fmt.Sprintf("%s (%v, %v)", name, orUnknown(then), orUnknown(now)))
		}
	}
	here := facts(result.Header{Seed: old.Header.Seed, Binary: binary(), Host: machine()})
	for i, fact := range facts(old.Header) {
		add(fact.name, fact.value, here[i].value)
	}
	for _, o := range f.all() {
		if then, ok := libraryOf(old, o.Name); ok {
			add("library of "+o.Name, then, o.library)
		}
	}
	words := fmt.Sprintf("This is the plan of %s again, which was carried out at %s", old.Name,
		old.Header.Created.UTC().Format("2006-01-02 15:04 UTC"))
	if len(differ) == 0 {
		return words + " on the same machine by the same rpcbench."
	}
	return fmt.Sprintf("%s. What differs (then, now): %s.", words, strings.Join(differ, ", "))
}

// libraryOf is what a stack's worker said of its library, on either side of a good trial.
func libraryOf(file *result.File, stack string) (string, bool) {
	i := slices.IndexFunc(file.Trials, func(t result.Trial) bool {
		return t.Status == result.StatusOK && (t.Spec.Stack == stack || t.Spec.Server == stack)
	})
	if i < 0 {
		return "", false
	}
	trial := file.Trials[i]
	if trial.Spec.Stack == stack {
		return trial.Client.Library, true
	}
	return trial.Server.Library, true
}
