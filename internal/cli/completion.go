package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
)

// A scriptOf is the completion script of one shell.
type scriptOf struct {
	name  string
	write func(root *cobra.Command, to io.Writer) error
	// changes replaces lines, so that the text after the cursor is passed on with what cobra passes.
	changes []string // old, new, …
}

var scripts = []scriptOf{
	{
		"bash", func(root *cobra.Command, to io.Writer) error { return root.GenBashCompletionV2(to, true) },
		[]string{
			`out=$(eval "${requestComp}" 2>/dev/null)`,
			`out=$(export ` + afterCursor + `="${COMP_LINE:COMP_POINT}"; eval "${requestComp}" 2>/dev/null)`,
			// An empty word before another one is not among the words of bash-completion.
			`words=("${words[@]:0:$cword+1}")`, `words=("${words[@]:0:$cword}" "$cur")`,
		},
	},
	{
		"zsh", func(root *cobra.Command, to io.Writer) error { return root.GenZshCompletion(to) },
		[]string{
			`out=$(eval ${requestComp} 2>/dev/null)`,
			`out=$(export ` + afterCursor + `="${RBUFFER}"; eval ${requestComp} 2>/dev/null)`,
		},
	},
	// fish does not provide the text after the cursor.
	{"fish", func(root *cobra.Command, to io.Writer) error { return root.GenFishCompletion(to, true) }, nil},
	{"powershell", func(root *cobra.Command, to io.Writer) error { return root.GenPowerShellCompletionWithDesc(to) }, nil},
}

// completion prints the completion script of a shell.
func (e *env) completion() *cobra.Command {
	names := shells()
	return &cobra.Command{
		Use:       "completion " + strings.Join(names, "|"),
		Short:     "Print the completion script of a shell",
		Example:   "  source <(rpcbench completion bash)",
		Hidden:    true, // make install and the packages bring the scripts
		ValidArgs: names,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return badInput(fmt.Errorf("completion needs the name of one shell: %s", strings.Join(names, ", ")))
			}
			return writeCompletion(command.Root(), args[0], e.out)
		},
	}
}

func shells() []string {
	var names []string
	for _, s := range scripts {
		names = append(names, s.name)
	}
	return names
}

// Completion writes the completion script of a shell.
func Completion(name string, to io.Writer) error { return writeCompletion(Tree(), name, to) }

func writeCompletion(root *cobra.Command, name string, to io.Writer) error {
	for _, s := range scripts {
		if s.name != name {
			continue
		}
		var text bytes.Buffer
		if err := s.write(root, &text); err != nil {
			return failed(err)
		}
		_, err := strings.NewReplacer(s.changes...).WriteString(to, text.String())
		return err
	}
	return badInput(fmt.Errorf("completion: %q is not a shell that has a script%s", name, hint.Of(name, shells())))
}
