package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"rpcbench/internal/report"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/document"
)

// archiveList lists entries.
func (e *env) archiveList() *cobra.Command {
	var query queryFlags
	var token tokenFlags
	var format string
	command := &cobra.Command{
		Use:     "list DIR|URL",
		Aliases: []string{"query"},
		Short:   "List the results files that flags select, the oldest first",
		Example: "  rpcbench archive list history --branch main --scenario echo\n" +
			"  rpcbench archive list history --cpu epyc --label nightly --format json",
		RunE: func(command *cobra.Command, args []string) error {
			if err := errors.Join(only(args, 1, "list"), checkFormat(format, document.Formats())); err != nil {
				return badInput(err)
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			entries, err := place.List(ctx, query.Query)
			if err != nil {
				return orInterrupted(ctx, orRefused(err))
			}
			return e.print("", report.Options{}, func(w io.Writer, options report.Options) error {
				return archivetable.WriteEntries(w, format, entries, options.Style)
			})
		},
	}
	query.flags(command.Flags())
	token.flags(command.Flags())
	addFormat(command.Flags(), &format, outputFormat, document.Formats())
	return command
}
