package cli

import (
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

const workerVerb = "worker"

// worker is how the driver starts the Go stacks. It is hidden: people have no use for it.
func (e *env) worker() *cobra.Command {
	var tethered bool
	command := &cobra.Command{
		Use:    workerVerb,
		Short:  "Run a worker: worker.v1 on standard input and output",
		Hidden: true,
		Args:   noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			keepPrivate()
			signal.Ignore(os.Interrupt) // the driver decides when a worker ends
			return orFailed(e.work(command.Context(), e.stacks, tethered))
		},
	}
	command.Flags().BoolVar(&tethered, "tether", false, "end when nothing has come for a minute")
	return command
}
