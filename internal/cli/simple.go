package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/report"
)

// setDefault gives a flag another default.
func setDefault(flag *pflag.Flag, value string) {
	flag.DefValue = value
	_ = flag.Value.Set(value) // the flag holds text
}

// simple runs the scenario of its name in Vanadium's layout: four lines a stack.
func (e *env) simple() *cobra.Command {
	var flags runFlags
	var stackName string
	command := &cobra.Command{
		Use:   "simple",
		Short: "Measure set-up, latency and throughput of a stack in four lines",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case !command.Flags().Changed("stacks"):
				_ = command.Flags().Set("stacks", stackName) // it takes any text
			case command.Flags().Changed("stack"):
				return badInput(errors.New("--stack and --stacks exclude each other"))
			}
			flags.noFloor = true
			return e.runScenarios(command.Context(), flags, []string{"simple"}, quiet)
		},
	}
	flags.selection.flags(command)
	flags.outputFlags.flags(command.Flags())
	command.Flags().StringVar(&stackName, "stack", "grpc-go", "the stack to measure")
	_ = command.Flags().MarkHidden("no-floor") // the four lines have no place for it
	setDefault(command.Flags().Lookup("format"), report.FormatSimple)
	return command
}
