package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"rpcbench/internal/report"
)

// archiveGet fetches a results file.
func (e *env) archiveGet() *cobra.Command {
	var token tokenFlags
	var output string
	command := &cobra.Command{
		Use:   "get DIR|URL FILE.jsonl",
		Short: "Write a results file of an archive to standard output or a file",
		Example: "  rpcbench archive get https://bench.example.com 20260901T120000Z-5f3a9c.jsonl \\\n" +
			"    --token-env TOKEN --output r.jsonl",
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 2 {
				return badInput(errors.New("archive get needs an archive and the name of one of its files, which archive list prints"))
			}
			if err := checkOverwrite(namedFile{"--output", output}, nil); err != nil {
				return badInput(err)
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			file, err := place.Open(ctx, args[1])
			if err != nil {
				return orInterrupted(ctx, orRefused(err))
			}
			defer file.Close()
			err = e.print(output, report.Options{}, func(w io.Writer, _ report.Options) error {
				_, err := io.Copy(w, file)
				return err
			})
			if err != nil {
				return orInterrupted(ctx, err)
			}
			return nil
		},
	}
	token.flags(command.Flags())
	command.Flags().StringVar(&output, "output", "", "write to `file`, which has no results yet")
	return command
}
