package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/cli/usage"
	"rpcbench/internal/plan/scenario"
)

// runFlags holds the flags of run.
type runFlags struct {
	selection
	outputFlags
}

// run carries a plan out, and reports it.
func (e *env) run() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run [SCENARIO | FILE.yaml ...]",
		Short: "Measure scenarios (quick by default) and report them",
		Long:  "Measure scenarios (quick by default) and report them.\n\n" + scenarioNames(),
		Example: `  rpcbench run
  rpcbench run echo --stacks grpc-go,connect-go --set request_bytes=10000
  rpcbench run my-service.yaml --trials 10 --out my-service.jsonl`,
		RunE: func(command *cobra.Command, names []string) error {
			return e.runScenarios(command.Context(), flags, names, e.tellMore)
		},
	}
	flags.selection.flags(command)
	flags.reuseFlag(command.Flags())
	completeScenarios(command)
	flags.outputFlags.flags(command.Flags())
	command.Flags().StringVar(&flags.scenarioResult, scenarioResultFile, "", "write the results as gRPC's driver does")
	_ = command.Flags().MarkHidden(scenarioResultFile) // it is there
	return command
}

// scenarioNames lists the scenarios that need no file, for help.
func scenarioNames() string {
	return usage.Wrapped("Built-in scenarios: " + strings.Join(scenario.BuiltinNames(), ", ") + ".")
}

// runScenarios plans, calls before, and carries out the plan.
func (e *env) runScenarios(
	ctx context.Context, flags runFlags, names []string, before func(context.Context, runFlags, []string, work) error,
) error {
	if err := flags.check(e.temporary); err != nil {
		return err
	}
	w, err := flags.plan(ctx, e, names, flags.strangerFlags, flags.hostFlags)
	if err == nil {
		err = checkSimple(flags.format, w.scenarios)
	}
	if err != nil {
		return err
	}
	if err := before(ctx, flags, names, w); err != nil {
		return err
	}
	return e.execute(ctx, &flags.outputFlags, w)
}
