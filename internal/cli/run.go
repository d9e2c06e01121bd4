package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// runFlags are all that run is told.
type runFlags struct {
	selection
	outputFlags
}

// run carries a plan out, and reports it.
func (e *env) run() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run [SCENARIO | FILE.yaml ...]",
		Short: "Measure: carry out scenarios (quick, when none is named) and report them",
		RunE: func(command *cobra.Command, names []string) error {
			return e.runScenarios(command.Context(), flags, names)
		},
	}
	flags.selection.flags(command)
	flags.outputFlags.flags(command.Flags())
	return command
}

func (e *env) runScenarios(ctx context.Context, flags runFlags, names []string) error {
	if err := flags.check(); err != nil {
		return err
	}
	p, scenarios, err := flags.plan(e, names)
	if err != nil {
		return err
	}
	return e.execute(ctx, flags.outputFlags, work{plan: p, scenarios: scenarios})
}
