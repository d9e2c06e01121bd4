package cli

import (
	"context"
	"slices"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/run/consent"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/service"
)

// A reach is what a verb may do to plan: start workers, and load and read what the user allows.
type reach struct {
	fleet *fleet.Fleet
	strangerFlags
	hostFlags
	mayLoad bool
}

// planReached plans scenarios, after it has made the servers ready that run already, and has asked whether that is
// allowed.
func (e *env) planReached(
	ctx context.Context, r reach, scenarios []scenario.Scenario, config plan.Config, services service.Config,
) (work, error) {
	files, asks, err := r.strangers(scenarios)
	if err != nil {
		return work{}, badInput(err)
	}
	called := slices.ContainsFunc(scenarios, func(s scenario.Scenario) bool { return s.Calls() })
	var ready *service.Services
	if called {
		if err := e.mayReach(ctx, r, scenarios, files, asks); err != nil {
			return work{}, err
		}
		if err := r.fleet.CheckOptions(ctx, scenarios); err != nil {
			return work{}, badOrNotStarted(err)
		}
		services.Allow = func(variables []recipe.Variable) error {
			return e.consent(r.strangerFlags, files, asksFor(variables))
		}
		services.Protocols = r.fleet.Protocols()
		if scenarios, ready, err = service.Resolve(ctx, scenarios, services); err != nil {
			return work{}, badInput(err)
		}
	}
	if executes(asks) && !called { // to plan is to ask the program what it hosts
		if err := e.consent(r.strangerFlags, files, asks); err != nil {
			return work{}, err
		}
		called = true
	}
	config.Methods, config.Expand = ready.Methods(), r.expand()
	made, err := r.fleet.Plan(ctx, scenarios, config)
	made.Notes = append(made.Notes, ready.Notes(made.Trials)...)
	return work{
		plan: made, scenarios: scenarios, fleet: r.fleet, services: ready, files: files, asks: asks, allowed: called,
	}, badOrNotStarted(err)
}

// executes reports whether any Ask is about a program.
func executes(asks []trust.Ask) bool {
	return slices.ContainsFunc(asks, func(a trust.Ask) bool { return a.Kind == trust.Program })
}

// mayReach asks for consent to targets that the user typed, and to what files ask for.
func (e *env) mayReach(ctx context.Context, r reach, scenarios []scenario.Scenario, files []string, asks []trust.Ask) error {
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if s.File != "" && !c.Overridden("target") {
				continue
			}
			if err := consent.ToLoad(ctx, c.Service().Target.Host(), r.mayLoad); err != nil {
				return badInput(err)
			}
		}
	}
	return e.consent(r.strangerFlags, files, asks)
}

// strangers returns the files that specify the work, and what they ask for, without the servers that the user may load.
func (r reach) strangers(scenarios []scenario.Scenario) (files []string, asks []trust.Ask, err error) {
	for _, s := range scenarios {
		if s.File != "" {
			files = append(files, s.File)
		}
		for _, c := range s.Cases {
			files = append(files, c.Service().RequestFiles()...)
		}
		asks = append(asks, trust.OfScenario(s)...)
	}
	asks, err = withoutMine(asks, r.mayLoad)
	return files, asks, err
}

// withoutMine leaves out the servers that the user may load.
func withoutMine(asks []trust.Ask, mayLoad bool) ([]trust.Ask, error) {
	var left []trust.Ask
	for _, ask := range asks {
		may := ask.Kind == trust.Target && mayLoad
		if host := ask.Host(); host != "" && !may {
			var err error
			if may, err = consent.Listed(host); err != nil {
				return nil, err
			}
		}
		if !may {
			left = append(left, ask)
		}
	}
	return left, nil
}

// asksFor are variables that files of requests name.
func asksFor(variables []recipe.Variable) []trust.Ask {
	var asks []trust.Ask
	for _, v := range variables {
		asks = append(asks, trust.OfVariable(v.File, v.Name))
	}
	return asks
}
