package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/words"
)

// plan prints what run would do.
func (e *env) plan() *cobra.Command {
	var chosen selection
	var strangers strangerFlags
	var listed hostFlags
	var format string
	command := &cobra.Command{
		Use:   "plan [SCENARIO | FILE.yaml ...]",
		Short: "Show the trials that run would execute, and how long they take",
		Long:  "Show the trials that run would execute, and how long they take.\n\n" + scenarioNames(),
		Example: `  rpcbench plan quick --trials 5
  rpcbench plan my-service.yaml --format json`,
		RunE: func(command *cobra.Command, names []string) error {
			if err := checkFormat(format, textOrJSON); err != nil {
				return err
			}
			if len(names) == 1 && names[0] == grpcscenario.Prefix {
				return e.listTheirs()
			}
			w, err := chosen.plan(command.Context(), e, names, strangers, listed)
			if err != nil {
				return err
			}
			p := w.plan
			if format == "json" {
				return document.WriteJSON(e.out, struct {
					Seed       uint64       `json:"seed"`
					ExpectedNs int64        `json:"expected_ns"`
					Notes      []plan.Note  `json:"notes"`
					Asks       []trust.Ask  `json:"asks,omitempty"`
					Trials     []plan.Trial `json:"trials"`
				}{p.Seed, int64(p.Expected()), document.List(p.Notes), w.asks, p.Trials})
			}
			if err := words.Plan(e.out, p); err != nil {
				return err
			}
			_, err = fmt.Fprint(e.out, theirNotes(w.scenarios), trust.Listing(w.asks))
			return err
		},
	}
	chosen.flags(command)
	chosen.reuseFlag(command.Flags())
	completeScenarios(command)
	strangers.flags(command.Flags())
	listed.flags(command.Flags())
	addFormat(command.Flags(), &format, outputFormat, textOrJSON)
	return command
}
