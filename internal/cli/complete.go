package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan/scenario"
)

// completeScenarios has shells complete the names of scenarios, beside those of files, and the stacks of --stacks.
func (e *env) completeScenarios(command *cobra.Command) {
	command.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return scenario.BuiltinNames(), cobra.ShellCompDirectiveDefault
	}
	e.completeStacks(command, "stacks")
}

// completeStacks has shells complete a flag that lists stacks.
func (e *env) completeStacks(command *cobra.Command, flag string) {
	_ = command.RegisterFlagCompletionFunc(flag, // it fails where there is no such flag, which a test sees
		func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			before := begun[:strings.LastIndex(begun, ",")+1]
			var words []string
			for _, info := range e.infos() {
				words = append(words, before+info.Name)
			}
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		})
}
