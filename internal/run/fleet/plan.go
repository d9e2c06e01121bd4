package fleet

import (
	"context"
	"fmt"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
)

// Plan plans scenarios with what the needed workers support. The error is a *StartError if one of these can't be started.
func (f *Fleet) Plan(ctx context.Context, scenarios []scenario.Scenario, config plan.Config) (plan.Plan, error) {
	notes, err := f.AskFor(ctx, StackNames(scenarios), serverless(scenarios))
	if err != nil {
		return plan.Plan{}, err
	}
	if err := f.askBinaries(ctx, binaryPaths(scenarios)); err != nil {
		return plan.Plan{}, err
	}
	if config, err = f.Config(config); err != nil {
		return plan.Plan{}, err
	}
	if config.Sizes, err = readSizes(scenarios); err != nil {
		return plan.Plan{}, err
	}
	made, err := plan.New(scenarios, f.Infos(), config)
	if err == nil {
		err = CheckEnvironment(slices.ContainsFunc(made.Trials, func(t plan.Trial) bool { return t.Spec.JVMOptions != "" }))
	}
	made.Notes = append(made.Notes, notes...)
	return made, err
}

// CheckOptions checks the options of running servers' clients before the servers are reached; see plan.CheckOptions. The error
// is a *StartError if a worker can't be asked for its options.
func (f *Fleet) CheckOptions(ctx context.Context, scenarios []scenario.Scenario) error {
	assumed, err := scenario.Settle(scenarios, func(scenario.Case) string { return stack.KindUnary })
	if err != nil || !slices.ContainsFunc(assumed, givesOptions) {
		return nil //nolint:nilerr // as the kind that the server says they may be good
	}
	if _, err := f.AskFor(ctx, StackNames(assumed), nil); err != nil {
		return err
	}
	return plan.CheckOptions(assumed, f.Infos())
}

func givesOptions(s scenario.Scenario) bool {
	return slices.ContainsFunc(s.Cases, func(c scenario.Case) bool {
		return c.Service().Runs() && slices.ContainsFunc(c.Each("options"), func(p point.Asked) bool { return len(p.Options) > 0 })
	})
}

// Replay plans the trials of a results file again, with what the workers of their stacks support.
func (f *Fleet) Replay(ctx context.Context, trials []plan.Trial, seed uint64) (plan.Plan, error) {
	names := stacksOf(trials)
	notes, err := f.AskFor(ctx, names, names)
	if err != nil {
		return plan.Plan{}, err
	}
	if err := f.askReplayed(ctx, trials); err != nil {
		return plan.Plan{}, err
	}
	config, err := f.Config(plan.Config{})
	if err != nil {
		return plan.Plan{}, err
	}
	again, err := plan.Replay(trials, seed, f.Infos(), config.Elsewhere)
	again.Notes = notes
	if err == nil {
		err = checkWords(again.Trials)
	}
	return again, err
}

// askReplayed asks the programs that trials were hosted by, which must be those that they were.
func (f *Fleet) askReplayed(ctx context.Context, trials []plan.Trial) error {
	var paths []string
	for _, t := range trials {
		paths = addPath(paths, t.Spec)
	}
	if err := f.askBinaries(ctx, paths); err != nil {
		return err
	}
	for _, t := range trials {
		if s := t.Spec; s.Binary != "" && f.builds[s.BinaryPath()].Hash != s.BinaryHash {
			return fmt.Errorf("%s can't be replayed: %s is not the program that was measured", s, s.BinaryPath())
		}
	}
	return nil
}

// stacksOf names the stacks of a plan, each once.
func stacksOf(trials []plan.Trial) []string {
	var names []string
	for _, t := range trials {
		hosted := []string{t.Spec.Stack, t.Spec.Server}
		if t.Spec.Program != nil {
			hosted = hosted[:1]
		}
		for _, name := range hosted {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Libraries returns the libraries of all stacks that can be planned.
func (f *Fleet) Libraries() []campaign.Library {
	var libraries []campaign.Library
	for _, o := range f.All() {
		libraries = append(libraries, campaign.Library{Stack: o.Name, Text: o.Library})
	}
	return libraries
}

// Others are the workers beside this binary.
func (f *Fleet) Others() []manifest.Worker { return f.workers }

// Kinship says what the other workers' stacks have in common.
func (f *Fleet) Kinship() string {
	if slices.ContainsFunc(f.workers, func(w manifest.Worker) bool { return !w.JVM() }) {
		return "Stacks of other workers"
	}
	return "JVM stacks"
}
