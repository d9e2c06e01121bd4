package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/stacktable"
)

// stacksCommand prints what this binary can measure.
func (e *env) stacksCommand() *cobra.Command {
	var format string
	var workers workerFlags
	command := &cobra.Command{
		Use:     "stacks",
		Short:   "List the stacks and what each supports",
		Example: "  rpcbench stacks --format json",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := checkFormat(format, textOrJSON); err != nil {
				return err
			}
			f, err := e.fleet(workers)
			if err != nil {
				return err
			}
			for _, err := range f.Ask(command.Context(), f.Others()) {
				fmt.Fprintf(e.err, "left out: %v\n", err)
			}
			if format == "json" {
				return document.WriteJSON(e.out, stacktable.Describe(f.All()))
			}
			err = document.WriteText(e.out, document.Document{stacktable.Table(f.All())}, styleOf(os.Stdout))
			return err
		},
	}
	addFormat(command.Flags(), &format, outputFormat, textOrJSON)
	workers.add(command.Flags())
	return command
}
