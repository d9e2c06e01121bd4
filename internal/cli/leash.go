package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"rpcbench/internal/run/leash"
)

// leash is how ab starts servers. It is hidden: people have no use for it.
func (e *env) leash() *cobra.Command {
	return &cobra.Command{
		Use:                "leash COMMAND ARGS…",
		Short:              "Run a command until standard input ends",
		Hidden:             true,
		DisableFlagParsing: true, // flags are the command's
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badInput(errors.New("leash needs a command"))
			}
			os.Exit(leash.Run(os.Stdin, args))
			return nil
		},
	}
}
