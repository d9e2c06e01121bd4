package cli

import (
	"os"
	"os/signal"
	"syscall"

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
			// The driver decides when a worker ends, also where a signal reaches all processes. A program inherits ignored signals, and is
			// ended by SIGTERM: it is caught, and nobody reads it.
			signal.Ignore(os.Interrupt)
			signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGHUP)
			return orFailed(e.work(command.Context(), e.stacks, tethered))
		},
	}
	command.Flags().BoolVar(&tethered, "tether", false, "end when nothing has come for a minute")
	return command
}
