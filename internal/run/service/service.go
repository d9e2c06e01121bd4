// Package service prepares running servers for a load: it reads what cases name (requests, metadata, keys, schemas), asks servers
// for their schema, and keeps what each case's calls send, for the driver. This includes secrets, and nothing of it gets into
// results.
package service

import (
	"context"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/control"
)

// A Config is what is needed in addition to the cases.
type Config struct {
	Protocols map[string]string // of stacks by name, "" where it is not known yet
	Seed      uint64
	Unstarted bool // the servers do not run yet
	// Allow is asked before anything is sent that holds variables which files name; nil allows them.
	Allow func([]recipe.Variable) error

	files *recipe.Files // of all cases
}

// Services are the services of the cases of some scenarios.
type Services struct {
	known  map[string]known // by the identity of a point.Service
	byCase map[plan.Case]string
}

// known is what is known about one service.
type known struct {
	foreign driver.Foreign
	method  *plan.Method // nil: rpcbench's own
	kind    string       // of the method's calls
	peer    recipe.Peer
	server  string // as sentences call it
}

// Resolve makes the services of all cases ready, and returns the scenarios with the kinds that servers said. Bad input is
// a *scenario.Error, or an error of the service.
func Resolve(ctx context.Context, scenarios []scenario.Scenario, config Config) ([]scenario.Scenario, *Services, error) {
	all := &Services{known: map[string]known{}, byCase: map[plan.Case]string{}}
	config.files = recipe.NewFiles()
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if c.Service().IsZero() {
				continue
			}
			id := c.Service().Identity()
			all.byCase[plan.Case{Scenario: s.Name, Title: c.Title}] = id
			if _, ok := all.known[id]; ok {
				continue
			}
			found, err := resolve(ctx, s, c, config)
			if err != nil {
				return nil, nil, err
			}
			all.known[id] = found
		}
	}
	if len(all.known) == 0 {
		return scenarios, nil, nil
	}
	settled, err := scenario.Settle(scenarios, func(c scenario.Case) string {
		return all.known[c.Service().Identity()].kind
	})
	if err != nil {
		return nil, nil, err
	}
	return settled, all, all.checkKinds(settled)
}

// Methods returns the methods of the services, for a plan.
func (s *Services) Methods() map[string]*plan.Method {
	methods := map[string]*plan.Method{}
	if s != nil {
		for id, known := range s.known {
			methods[id] = known.method
		}
	}
	return methods
}

// Of returns what the driver needs for a trial.
func (s *Services) Of(trial plan.Trial) driver.Foreign {
	return s.of(trial).foreign
}

// of returns the service of a trial, or nothing if it has none. A trial that a campaign adds belongs to the only service.
func (s *Services) of(trial plan.Trial) known {
	if s == nil {
		return known{}
	}
	if len(trial.Cases) > 0 {
		if id, ok := s.byCase[trial.Cases[0]]; ok {
			return s.known[id]
		}
	}
	if len(s.known) == 1 {
		for _, only := range s.known {
			return only
		}
	}
	return known{}
}

func resolve(ctx context.Context, s scenario.Scenario, c scenario.Case, config Config) (known, error) {
	var k known
	security, err := securityOf(c)
	if err != nil {
		return k, err
	}
	k.foreign.Security, k.server = security, c.Service().Target.String()
	called := call{Service: c.Service(), file: s.File, config: config, peer: &k.peer}
	if called.RowsFile != "" {
		if called.rows, err = config.files.Rows(called.RowsFile); err != nil {
			return k, err
		}
	}
	switch {
	case len(c.Service().Mix) > 0:
		err = k.resolveMix(ctx, called, security)
		return k, err
	case !c.Service().IsForeign():
		err = called.look(ctx, c, security)
		return k, err
	}
	resolved, err := called.resolve(ctx, security)
	if err != nil {
		return k, err
	}
	k.kind = resolved.Kind
	if k.method, err = method(c.Service(), resolved); err != nil {
		return k, err
	}
	if err := called.checkRows(k.method); err != nil {
		return k, err
	}
	k.foreign.Recipe, k.foreign.Token = control.FromRecipe(resolved), resolved.TokenSource()
	return k, nil
}
