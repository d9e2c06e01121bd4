package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/scenario"
)

// defaultScenario is what run and plan take when none is named.
const defaultScenario = "quick"

// A selection is what the flags of run and plan choose.
type selection struct {
	stacks, duration, warmup, trials string
	sets                             []string
	seed                             uint64
	noFloor                          bool
	given                            *pflag.FlagSet
}

func (s *selection) flags(command *cobra.Command) {
	flags := command.Flags()
	s.given = flags
	flags.StringVar(&s.stacks, "stacks", "", "only these stacks, with commas between them")
	flags.StringVar(&s.duration, "duration", "", "how long to measure a trial, such as 5s")
	flags.StringVar(&s.warmup, "warmup", "", "how long to warm up before it, such as 1s")
	flags.StringVar(&s.trials, "trials", "", "how often to repeat every point, in fresh processes")
	flags.StringArrayVar(&s.sets, "set", nil, "replace KEY in every case that may have it; VALUE is YAML (KEY=VALUE)")
	flags.Uint64Var(&s.seed, "seed", 1, "of the order of trials, of payloads and of random arrivals")
	flags.BoolVar(&s.noFloor, "no-floor", false, "leave out the bare socket that stacks are set against")
}

// plan makes the plan of the named scenarios. Every error is bad input.
func (s *selection) plan(e *env, names []string) (plan.Plan, []scenario.Scenario, error) {
	if len(names) == 0 {
		names = []string{defaultScenario}
	}
	var scenarios []scenario.Scenario
	for _, name := range names {
		one, err := scenario.Load(name)
		if err != nil {
			return plan.Plan{}, nil, badInput(err)
		}
		scenarios = append(scenarios, one)
	}
	overrides, err := s.overrides()
	if err != nil {
		return plan.Plan{}, nil, badInput(err)
	}
	scenarios, err = scenario.Apply(scenarios, overrides)
	if err != nil {
		return plan.Plan{}, nil, badInput(err)
	}
	made, err := plan.New(scenarios, e.infos(), plan.Config{Seed: s.seed, Floor: !s.noFloor})
	return made, scenarios, badInput(err)
}

// overrides are what the command line sets, the shorthands first.
func (s *selection) overrides() ([]scenario.Override, error) {
	var overrides []scenario.Override
	for _, short := range []struct{ flag, value string }{
		{"stacks", s.stacks}, {"duration", s.duration}, {"warmup", s.warmup}, {"trials", s.trials},
	} {
		if !s.given.Changed(short.flag) {
			continue
		}
		override, err := scenario.Shorthand(short.flag, short.value)
		if err != nil {
			return nil, err
		}
		overrides = append(overrides, override)
	}
	for _, set := range s.sets {
		override, err := scenario.Set(set)
		if err != nil {
			return nil, err
		}
		overrides = append(overrides, override)
	}
	return overrides, nil
}
