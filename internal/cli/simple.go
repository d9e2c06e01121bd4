package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report/formats"
)

// setDefault gives a flag another default.
func setDefault(flag *pflag.Flag, value string) {
	flag.DefValue = value
	_ = flag.Value.Set(value) // the flag holds text
}

// withoutSimple takes the format simple out of a command's --format.
func withoutSimple(format *pflag.Flag) {
	withoutFormat(format, formats.Simple, "it supports only the scenario simple: use rpcbench simple")
}

// checkSimple refuses the format simple where that scenario is not measured.
func checkSimple(format string, scenarios []scenario.Scenario) error {
	isSimple := func(s scenario.Scenario) bool { return s.Name == simpleScenario }
	if format != formats.Simple || slices.ContainsFunc(scenarios, isSimple) {
		return nil
	}
	return badInput(fmt.Errorf("--format %s prints the scenario %s only, which is not among these", format, simpleScenario))
}

// simpleScenario is the scenario that Vanadium's benchmark of the name is.
const simpleScenario = "simple"

// simple runs the scenario of its name in Vanadium's layout: four lines a stack.
func (e *env) simple() *cobra.Command {
	var flags runFlags
	var stackName string
	command := &cobra.Command{
		Use:     "simple",
		Short:   "Measure set-up, latency and throughput of a stack in four lines",
		Example: "  rpcbench simple --stack connect-go",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case !command.Flags().Changed("stacks"):
				_ = command.Flags().Set("stacks", stackName) // it takes any text
			case command.Flags().Changed("stack"):
				return badInput(errors.New("--stack and --stacks exclude each other"))
			}
			flags.noFloor = true
			return e.runScenarios(command.Context(), flags, []string{simpleScenario}, quiet)
		},
	}
	flags.selection.flags(command)
	flags.outputFlags.flags(command.Flags())
	command.Flags().StringVar(&stackName, "stack", "grpc-go", "`stack` to measure")
	_ = command.Flags().MarkHidden("no-floor") // the four lines have no place for it
	_ = command.Flags().MarkHidden("trust")    // no file says anything
	setDefault(command.Flags().Lookup("format"), formats.Simple)
	return command
}
