package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/manifest"
)

// tellMore says in one line that there are stacks of other workers, where nobody said which stacks to take: the command
// that includes them, and how long it would take. To know, it starts those workers, and is done before anything is
// measured. It says nothing where there are none.
func (e *env) tellMore(ctx context.Context, flags runFlags, names []string, w work) error {
	if len(w.fleet.workers) == 0 || len(stackNames(w.scenarios)) > 0 {
		return nil
	}
	errs := w.fleet.ask(ctx, w.fleet.workers)
	for _, err := range errs {
		fmt.Fprintf(e.err, "note: %v.\n", err)
	}
	if len(errs) == len(w.fleet.workers) {
		return nil
	}
	all := flags.selection
	all.sets = append(slices.Clone(all.sets), "stack="+point.All)
	scenarios, err := all.scenarios(names)
	if err != nil {
		return badInput(err)
	}
	bigger, err := w.fleet.plan(ctx, scenarios, all.config())
	if err != nil {
		return err
	}
	fmt.Fprintf(e.err, "%s are built too; this takes them in, and about %s: %s\n",
		w.fleet.kinship(), about(bigger.plan.Expected()), flags.commandWith(names, "--stacks", point.All))
	return nil
}

// kinship names what the other workers' stacks have in common.
func (f *fleet) kinship() string {
	if slices.ContainsFunc(f.workers, func(w manifest.Worker) bool { return !w.JVM() }) {
		return "Stacks of other workers"
	}
	return "JVM stacks"
}

// commandWith is the command that the user typed, with more words, and without what names its output.
func (f runFlags) commandWith(names []string, more ...string) string {
	if len(names) == 0 {
		names = []string{defaultScenario}
	}
	words := slices.Concat([]string{"rpcbench", "run"}, names)
	f.selection.given.Visit(func(flag *pflag.Flag) {
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			switch {
			case flag.Name == "out" || flag.Name == "resume":
			case flag.Value.Type() == "bool" && value == "true":
				words = append(words, "--"+flag.Name)
			case flag.Value.Type() == "bool":
				words = append(words, "--"+flag.Name+"="+value)
			default:
				words = append(words, "--"+flag.Name, value)
			}
		}
	})
	words = append(words, more...)
	for i, word := range words {
		words[i] = shellWord(word)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word that a shell would not leave as it is.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./:=,@%+", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// quiet says nothing before a run.
func quiet(context.Context, runFlags, []string, work) error { return nil }
