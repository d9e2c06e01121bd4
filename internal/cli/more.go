package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/fleet"
)

// tellMore prints one line if there are stacks of other workers and no stacks were selected: the command that includes them, and
// how long it would take. To find out, it starts those workers before anything is measured. Without other workers it prints
// nothing.
func (e *env) tellMore(ctx context.Context, flags runFlags, names []string, w work) error {
	if len(w.fleet.Others()) == 0 || len(fleet.StackNames(w.scenarios)) > 0 || w.services != nil {
		return nil
	}
	errs := w.fleet.Ask(ctx, w.fleet.Others())
	for _, err := range errs {
		fmt.Fprintf(e.err, "note: %v.\n", err)
	}
	if len(errs) == len(w.fleet.Others()) {
		return nil
	}
	all := flags.selection
	all.sets = append(slices.Clone(all.sets), "stack="+point.All)
	scenarios, err := all.scenarios(names)
	if err != nil {
		return badInput(err)
	}
	bigger, err := w.fleet.Plan(ctx, scenarios, all.config())
	if err != nil {
		return badOrNotStarted(err)
	}
	fmt.Fprintf(e.err, "%s are built too; this takes them in, and about %s: %s\n",
		w.fleet.Kinship(), number.About(bigger.Expected()), flags.commandWith(names, "--stacks", point.All))
	return nil
}

// commandWith returns the user's command with more words, and without the flags for its output.
func (f runFlags) commandWith(names []string, more ...string) string {
	if len(names) == 0 {
		names = []string{defaultScenario}
	}
	command := append(slices.Concat([]string{"rpcbench", "run"}, names), typed(f.selection.given)...)
	return shell(append(command, more...))
}

// typed are the flags that the user wrote, without those that name the output.
func typed(flags *pflag.FlagSet) []string {
	var typed []string
	flags.Visit(func(flag *pflag.Flag) {
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			switch {
			case flag.Name == "out" || flag.Name == "resume":
			case flag.Value.Type() == "bool" && value == "true":
				typed = append(typed, "--"+flag.Name)
			case flag.Value.Type() == "bool":
				typed = append(typed, "--"+flag.Name+"="+value)
			default:
				typed = append(typed, "--"+flag.Name, value)
			}
		}
	})
	return typed
}

// shell writes a command as a shell reads it.
func shell(command []string) string {
	quoted := make([]string, len(command))
	for i, word := range command {
		quoted[i] = point.Quoted(word)
	}
	return strings.Join(quoted, " ")
}

// quiet says nothing before a run.
func quiet(context.Context, runFlags, []string, work) error { return nil }
