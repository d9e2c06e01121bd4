package scenario

import (
	"errors"
	"fmt"
	"slices"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// resolved is the result of a source's layers.
type resolved struct {
	cases []Case
	left  []string // sentences about what is left out
	first error    // why the first case is left out
}

// remake makes the cases of a scenario anew.
func (s *Scenario) remake(defaultsHad, setHad used) error {
	made, err := s.source.resolve(s.source.set, defaultsHad, setHad)
	if err != nil {
		return err
	}
	s.Cases, s.LeftOut, s.leftOutFirst = made.cases, made.left, made.first
	return nil
}

// leaveOut leaves out a case if the command line's keys are to blame: without them it is good.
func (r *resolved) leaveOut(l layers, w written, kind string, err error) bool {
	plain := layers{set: layer{}, own: l.own, defaults: l.defaults}
	kinds, ownErr := plain.kinds(w)
	if len(l.set) == 0 || ownErr != nil || plain.checkOwn(kinds) != nil {
		return false
	}
	for _, kind := range kinds {
		if _, err := plain.build(w, kind); err != nil {
			return false
		}
	}
	if r.first == nil {
		r.first = err
	}
	reason := err.Error()
	if told, ok := errors.AsType[*Error](err); ok {
		reason = told.Message
	}
	as := ""
	if kind != "" && !slices.Contains(kinds, kind) {
		as = " as " + kind
	}
	r.left = append(r.left, fmt.Sprintf("The case %q is left out%s: %s.", w.title, as, reason))
	return true
}

// add takes a case with its title. It keeps the points that the user chose, and notes those left out.
func (r *resolved) add(c Case, title string) {
	if !c.chosen() {
		return
	}
	r.cases = append(r.cases, c)
	if len(c.barred) > 0 {
		all := len(c.product())
		r.left = append(r.left, fmt.Sprintf("The case %q is without %d of its %d points: %s.", title, all-len(c.points()), all,
			c.barredBy()))
	}
}

// chosen reports whether the user chose any point of the case. It is true if only the plan can know.
func (c *Case) chosen() bool {
	switch {
	case c.choice.IsZero(), !c.enumerable(), slices.ContainsFunc(c.points(), func(p point.Asked) bool { return c.Takes(p.Spec) }):
		return true
	case stack.IsCodec(c.Kind):
		return c.choice.TakesKind(c.Kind)
	default:
		return c.service.Call != "" && c.choice.TakesKind(c.Kind) && c.choice.TakesName("method="+c.service.Call)
	}
}

// enumerable reports whether the plan takes a case of as many points.
func (c *Case) enumerable() bool { return c.Size(combinationsMax) <= combinationsMax }

// bar leaves out the points that break a rule, if the command line's keys bring that about together with keys of the scenario.
func (c *Case) bar(rule point.Rule) bool {
	overridden, others := false, false
	for _, key := range rule.Keys {
		overridden = overridden || c.Overridden(key)
		others = others || c.Given(key) && !c.Overridden(key)
	}
	if !overridden || !others || !c.enumerable() {
		return false
	}
	c.barred = append(c.barred, rule)
	if len(c.points()) > 0 {
		return true
	}
	c.barred = c.barred[:len(c.barred)-1]
	return false
}

// bars reports whether a point is left out.
func (c *Case) bars(p point.Asked) bool {
	return slices.ContainsFunc(c.barred, func(rule point.Rule) bool { return rule.Fault(p) != nil })
}

// barredBy returns what is wrong with the first point that is left out.
func (c *Case) barredBy() string {
	for _, p := range c.product() {
		for _, rule := range c.barred {
			if fault := rule.Fault(p); fault != nil {
				return fault.Field + ": " + fault.Reason
			}
		}
	}
	return ""
}

// nothingLeft is why no case of any scenario is left, if that is so.
func nothingLeft(scenarios []Scenario) error {
	var first error
	for _, s := range scenarios {
		if len(s.Cases) > 0 {
			return nil
		}
		if first == nil {
			first = s.leftOutFirst
		}
	}
	return first
}

// Choice returns the user's choice of points.
func (s *Scenario) Choice() point.Choice { return s.source.choice }

// Choose makes the scenarios anew with the cases that the user chose. Every error is an *Error.
func Choose(scenarios []Scenario, choice point.Choice) ([]Scenario, error) {
	if choice.IsZero() {
		return scenarios, nil
	}
	chosen := slices.Clone(scenarios)
	var titles, kinds []string
	for i := range chosen {
		for _, c := range chosen[i].Cases {
			titles = append(titles, c.Title)
			if !slices.Contains(kinds, c.Kind) {
				kinds = append(kinds, c.Kind)
			}
		}
		chosen[i].source.choice = choice
		if err := chosen[i].remake(used{}, used{}); err != nil {
			return nil, err
		}
	}
	chosen = slices.DeleteFunc(chosen, func(s Scenario) bool { return len(s.Cases) == 0 })
	if len(chosen) == 0 {
		return nil, Errorf(choice.String(), "%s", choice.NoMatch(slices.Compact(titles), kinds))
	}
	return chosen, nil
}
