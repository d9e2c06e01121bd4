package campaign

import (
	"errors"
	"fmt"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// A Library is the library of a stack, as its worker describes it now.
type Library struct{ Stack, Text string }

// ReplayNote says what is replayed, and what has changed since: the machine, the binary, the libraries of stacks.
func ReplayNote(old *result.File, binary result.Binary, libraries []Library) string {
	var differ []string
	add := func(name string, then, now any) {
		if then != now {
			differ = append(differ, fmt.Sprintf("%s (%v, %v)", name, orUnknown(then), orUnknown(now)))
		}
	}
	here := facts(result.Header{Seed: old.Header.Seed, Binary: binary, Hosts: []result.Host{Machine()}, Environment: Environment()})
	for i, fact := range facts(old.Header) {
		add(fact.name, fact.value, here[i].value)
	}
	for _, library := range libraries {
		if then, ok := libraryOf(old, library.Stack); ok {
			add("library of "+library.Stack, then, library.Text)
		}
	}
	words := fmt.Sprintf("This replays the plan of %s, which ran at %s", old.Name,
		old.Header.Created.UTC().Format("2006-01-02 15:04 UTC"))
	if len(differ) == 0 {
		return words + " on the same machine with the same rpcbench."
	}
	return fmt.Sprintf("%s. Differences (then, now): %s.", words, strings.Join(differ, ", "))
}

// libraryOf returns the library that a stack's worker reported, on either side of a successful trial.
func libraryOf(file *result.File, stack string) (string, bool) {
	for _, t := range file.Trials {
		switch {
		case t.Status != result.StatusOK:
		case t.Spec.Stack == stack && len(t.Clients) > 0:
			return t.Clients[0].Library, true
		case t.Spec.Server == stack && len(t.Servers) > 0:
			return t.Servers[0].Library, true
		}
	}
	return "", false
}

// anew is the advice for parts of a trial that a file does not hold.
const anew = "measure it anew, by the scenario or load"

// CheckReplayable refuses trials that a file does not fully describe.
func CheckReplayable(trials []plan.Trial) error {
	for _, t := range trials {
		switch {
		case t.Spec.Method != nil:
			return fmt.Errorf("it calls %s, and results files do not contain request data; %s", t.Spec.Method.Name, anew)
		case t.Spec.Unverified:
			return errors.New("its server's certificate was not verified; " + anew)
		}
	}
	return nil
}
