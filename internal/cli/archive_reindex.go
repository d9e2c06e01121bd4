package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"rpcbench/internal/results/archive"
)

// archiveReindex makes the index anew.
func (e *env) archiveReindex() *cobra.Command {
	return &cobra.Command{
		Use:     "reindex DIR",
		Short:   "Make the index of a directory anew from its files",
		Example: "  rpcbench archive reindex history",
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return badInput(errors.New("archive reindex needs one directory"))
			}
			if _, err := os.Stat(args[0]); err != nil {
				return badInput(err)
			}
			dir, err := archive.Create(args[0])
			if err != nil {
				return failed(err)
			}
			defer dir.Close()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			n, err := dir.Reindex(ctx)
			if err != nil {
				return orInterrupted(ctx, failed(err))
			}
			_, err = fmt.Fprintf(e.out, "results files in the index: %d\n", n)
			return err
		},
	}
}
