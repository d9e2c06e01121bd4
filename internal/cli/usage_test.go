package cli

import (
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verbs are the commands of the help.
func verbs(t *testing.T) []*cobra.Command {
	t.Helper()
	root := (&env{out: t.Output(), err: t.Output()}).root()
	var made []*cobra.Command
	for _, verb := range root.Commands() {
		if verb.IsAvailableCommand() {
			made = append(made, verb)
		}
	}
	if len(made) < 15 {
		t.Fatalf("%d verbs, want 15 at least", len(made))
	}
	return made
}

// below are the commands of the help, with those below them.
func below(commands ...*cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, command := range commands {
		if command.IsAvailableCommand() || !command.HasParent() {
			all = append(append(all, command), below(command.Commands()...)...)
		}
	}
	return all
}

// Every line of help fits a terminal of 80 columns, and every flag is below a heading.
func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	root := (&env{out: t.Output(), err: t.Output()}).root()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	for _, verb := range below(root) {
		verb.InitDefaultHelpFlag()
		text := verb.Short + "\n" + verb.Long + "\n" + verb.UsageString()
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); len(line) > 80 {
				t.Errorf("%s: %d columns: %s", verb.Name(), len(line), line)
			}
		}
		if !verb.HasParent() {
			continue // the version's flag is of no group
		}
		if _, other, _ := strings.Cut(text, "\nOther:\n"); strings.TrimSpace(other) != "-h, --help   help for "+verb.Name() {
			t.Errorf("%s: flags of no group:\n%s", verb.Name(), other)
		}
	}
}

// Examples are commands with flags that there are.
func TestExamplesOfHelpCanBeTyped(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, verb := range verbs(t) {
		for line := range strings.Lines(strings.ReplaceAll(verb.Example, "\\\n", " ")) {
			words, err := shellwords.Parse(strings.TrimSpace(line))
			if err != nil || len(words) < 2 || words[0] != "rpcbench" || words[1] != verb.Name() {
				t.Errorf("%q is no command of %s: %v", line, verb.Name(), err)
				continue
			}
			tried++
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			flags.AddFlagSet(verb.Flags())
			if err := flags.Parse(words[2:]); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if tried < 15 {
		t.Errorf("%d examples, want 15 at least", tried)
	}
}
