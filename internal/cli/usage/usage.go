// Package usage prints the help of commands: how a command is written, examples, and its flags in groups.
package usage

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxColumns is the width of the help: that of a terminal which nobody has made wider.
const maxColumns = 80

// Set makes a command and those below it print their help by this package, verbs in the order in which they are
// added.
func Set(root *cobra.Command) {
	cobra.EnableCommandSorting = false // groups and verbs are in an order of their own
	root.SetUsageFunc(func(command *cobra.Command) error {
		_, err := io.WriteString(command.OutOrStdout(), of(command))
		return err
	})
}

// Wrapped breaks a text into lines as wide as the help.
func Wrapped(text string) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > maxColumns {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}

// of is what a command's help has below its description.
func of(command *cobra.Command) string {
	var text strings.Builder
	if command.HasAvailableSubCommands() {
		text.WriteString("Usage:\n  " + command.UseLine() + " COMMAND\n")
		writeVerbs(&text, command)
	} else {
		text.WriteString("Usage:\n  " + command.UseLine() + "\n")
	}
	if command.Example != "" {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", strings.TrimRight(command.Example, "\n"))
	}
	for _, part := range parts(command.Flags()) {
		fmt.Fprintf(&text, "\n%s:\n%s", part.heading, part.flags.FlagUsagesWrapped(maxColumns))
	}
	return text.String()
}

// writeVerbs lists the commands below a command, by their groups.
func writeVerbs(text *strings.Builder, command *cobra.Command) {
	for _, group := range command.Groups() {
		fmt.Fprintf(text, "\n%s\n", group.Title)
		for _, verb := range command.Commands() {
			if verb.GroupID == group.ID && verb.IsAvailableCommand() {
				fmt.Fprintf(text, "  %-*s  %s\n", verb.NamePadding(), verb.Name(), verb.Short)
			}
		}
	}
	path := strings.TrimPrefix(command.CommandPath(), command.Root().Name())
	fmt.Fprintf(text, "\n%s help%s COMMAND prints a command's flags and examples.\n", command.Root().Name(), path)
}

// A part is what a command has of a group.
type part struct {
	heading string
	flags   *pflag.FlagSet
}

// parts are a command's flags by group, those that are not hidden; the last part has those of no group.
func parts(all *pflag.FlagSet) []part {
	left := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			left.AddFlag(shown(f))
		}
	})
	var made []part
	taken := map[string]bool{}
	for _, group := range groups {
		p := part{group.heading, ordered()}
		for _, name := range group.flags {
			if f := left.Lookup(name); f != nil {
				p.flags.AddFlag(f)
				taken[name] = true
			}
		}
		if p.flags.HasFlags() {
			made = append(made, p)
		}
	}
	rest := part{"Other", ordered()}
	left.VisitAll(func(f *pflag.Flag) {
		if !taken[f.Name] {
			rest.flags.AddFlag(f)
		}
	})
	if rest.flags.HasFlags() {
		made = append(made, rest)
	}
	return made
}

// ordered is a set that keeps the order in which flags come to it.
func ordered() *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	return set
}

// shown is a flag with its default in its text, as that of flags whose default depends on others.
func shown(f *pflag.Flag) *pflag.Flag {
	copied := *f
	if !isZero(f.DefValue) {
		copied.Usage += " (default " + f.DefValue + ")"
	}
	copied.Value, copied.DefValue = undecided{f.Value}, ""
	return &copied
}

// An undecided value is of no type for which pflag would print a default of its own.
type undecided struct{ pflag.Value }

// isZero returns whether a default goes without saying.
func isZero(text string) bool {
	return text == "" || text == "false" || text == "[]" || text == "0s"
}
