package plan

import (
	"fmt"
	"maps"
	"slices"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// Replay is the plan of trials that were carried out elsewhere or before: the same ones in the same order. IDs are made
// anew. A trial that the stacks can't do is an error; elsewhere is as Config.Elsewhere.
func Replay(trials []Trial, seed uint64, stacks []stack.Info, elsewhere map[string]string) (Plan, error) {
	r := replay{stacks: map[string]stack.Info{}, elsewhere: elsewhere}
	for _, info := range stacks {
		r.stacks[info.Name] = info
	}
	if len(trials) > TrialsMax {
		return Plan{}, scenario.Errorf("", "its %d trials are above the limit of %d", len(trials), TrialsMax)
	}
	p := Plan{Seed: seed, Trials: slices.Clone(trials)}
	for i := range p.Trials {
		t := &p.Trials[i]
		if err := t.Check(); err != nil {
			return Plan{}, scenario.Errorf("", "%s can't be replayed: %v", t.Spec, err)
		}
		if err := r.check(t.Spec); err != nil {
			return Plan{}, err
		}
		t.ID = id(t.Spec, t.Repetition)
	}
	return p, nil
}

type replay struct {
	stacks    map[string]stack.Info
	elsewhere map[string]string
}

func (r replay) check(s Spec) error {
	p, err := r.pair(s)
	if err != nil {
		return err
	}
	reason := p.lacks(s).String()
	if reason == "" {
		reason = p.refuseOptions(s)
	}
	if reason == "" && p.client.Protocol != s.Protocol {
		reason = fmt.Sprintf("%s speaks %s, and spoke %s when it was recorded", s.Stack, p.client.Protocol, s.Protocol)
	}
	if reason != "" {
		return scenario.Errorf("", "%s can't be replayed: %s", s, reason)
	}
	return nil
}

func (r replay) pair(s Spec) (pair, error) {
	client, err := r.stack(s, s.Stack)
	if err != nil || s.Server == "" { // against a target, or coding
		target := client
		target.Serves = true
		return pair{client, target}, err
	}
	if s.Program != nil {
		return pair{client, s.Program.Info(s.Server)}, nil
	}
	server, err := r.stack(s, s.Server)
	return pair{client, server}, err
}

func (r replay) stack(s Spec, name string) (stack.Info, error) {
	info, ok := r.stacks[name]
	if !ok {
		here := slices.Sorted(maps.Keys(r.stacks))
		return info, scenario.Errorf("", "%s can't be replayed: the stack %s", s, Unknown(name, here, r.elsewhere))
	}
	return info, nil
}
