package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
)

// defaultScenario is what run and plan take when none is named.
const defaultScenario = "quick"

// A selection is what the flags of run and plan choose.
type selection struct {
	workers string
	sets    []string
	seed    uint64
	noFloor bool
	given   *pflag.FlagSet
}

func (s *selection) flags(command *cobra.Command) {
	flags := command.Flags()
	s.given = flags
	for _, key := range point.Keys() {
		if flag := key.Run; flag.Name != "" {
			flags.String(flag.Name, "", flag.Help)
		}
	}
	flags.StringArrayVar(&s.sets, "set", nil, "replace KEY in every case that may have it; VALUE is YAML (KEY=VALUE)")
	flags.Uint64Var(&s.seed, "seed", 1, "of the order of trials, of payloads and of random arrivals")
	flags.BoolVar(&s.noFloor, "no-floor", false, "leave out the bare socket that stacks are set against")
	workersFlag(flags, &s.workers)
}

// plan makes the work of the named scenarios.
func (s *selection) plan(ctx context.Context, e *env, names []string) (work, error) {
	scenarios, err := s.scenarios(names)
	if err != nil {
		return work{}, badInput(err)
	}
	f, err := e.fleet(s.workers)
	if err != nil {
		return work{}, err
	}
	w, err := f.plan(ctx, scenarios, s.config())
	w.files, w.asks = strangers(scenarios)
	return w, err
}

func (s *selection) config() plan.Config { return plan.Config{Seed: s.seed, Floor: !s.noFloor} }

// plan plans scenarios on what the workers that they need can do.
func (f *fleet) plan(ctx context.Context, scenarios []scenario.Scenario, config plan.Config) (work, error) {
	notes, err := f.askFor(ctx, stackNames(scenarios), config.Target)
	if err != nil {
		return work{}, err
	}
	config, err = f.config(config)
	if err != nil {
		return work{}, badInput(err)
	}
	made, err := plan.New(scenarios, f.infos(), config)
	if err == nil {
		err = checkEnvironment(slices.ContainsFunc(made.Trials, func(t plan.Trial) bool { return t.Spec.JVMOptions != "" }))
	}
	made.Notes = append(made.Notes, notes...)
	return work{plan: made, scenarios: scenarios, fleet: f}, badInput(err)
}

// scenarios reads the named ones, the default one where none is named, and sets what the command line says.
func (s *selection) scenarios(names []string) ([]scenario.Scenario, error) {
	if len(names) == 0 {
		names = []string{defaultScenario}
	}
	var scenarios []scenario.Scenario
	for _, name := range names {
		one, err := scenario.Load(name)
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, one)
	}
	overrides, err := s.overrides()
	if err != nil {
		return nil, err
	}
	return scenario.Apply(scenarios, overrides)
}

// overrides are what the command line sets, the flags that stand for keys first.
func (s *selection) overrides() ([]scenario.Override, error) {
	var overrides []scenario.Override
	for _, key := range point.Keys() {
		if s.given.Changed(key.Run.Name) {
			overrides = append(overrides, scenario.ByFlag(key.Name, key.Run, s.given.Lookup(key.Run.Name).Value.String()))
		}
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
