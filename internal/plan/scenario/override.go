package scenario

import (
	"slices"
	"strings"

	"rpcbench/internal/plan/point"
)

// An Override is a key that the command line sets in every case that may have it.
type Override struct {
	Key   string
	Value string   // YAML; a list on an axis
	Flag  string   // as the user wrote it, for error messages; empty stands for --set KEY=VALUE
	As    *Setting // instead of Value, where it is not nil: nothing in it is YAML
}

// Set reads the argument of --set.
func Set(argument string) (Override, error) {
	key, value, found := strings.Cut(argument, "=")
	if !found || key == "" {
		return Override{}, Errorf("--set "+argument, "the argument is not KEY=VALUE")
	}
	return Override{Key: key, Value: value}, nil
}

// Shorthand returns the Override of a flag of run that sets a key. The flag has no dashes.
func Shorthand(flag, value string) (Override, error) {
	for _, k := range point.Keys() {
		if k.Run.Name == flag {
			return ByFlag(k.Name, k.Run, value), nil
		}
	}
	return Override{}, Errorf("--"+flag+" "+value, "--%s is not a shorthand for --set", flag)
}

// ByFlag returns the Override of a flag that sets a key.
func ByFlag(key string, flag point.Flag, value string) Override {
	return Override{Key: key, Value: flag.Form.YAML(value), Flag: "--" + flag.Name + " " + value}
}

// Check refuses an override that no case could have. The error is an *Error.
func Check(o Override) error { return layer{}.override(o) }

func (o Override) flag() string {
	if o.Flag != "" {
		return o.Flag
	}
	return "--set " + o.Key + "=" + o.Value
}

// Apply rebuilds the scenarios with the overrides: each replaces its key in every case that may have it. Points that conflict
// with an override are left out, with a sentence in LeftOut. An override that no case of any scenario may have is an error. Every
// error is an *Error.
func Apply(scenarios []Scenario, overrides []Override) ([]Scenario, error) {
	set := layer{}
	for _, o := range overrides {
		if err := set.override(o); err != nil {
			return nil, err
		}
	}
	applied := slices.Clone(scenarios)
	setHad := used{}
	for i := range applied {
		applied[i].source.set = set
		if err := applied[i].remake(used{}, setHad); err != nil {
			return nil, err
		}
	}
	if err := set.unused(setHad); err != nil {
		return nil, err
	}
	return applied, nothingLeft(applied)
}

func (o Override) node() (node, error) {
	if o.As == nil {
		return readFlag(o.flag(), o.Value)
	}
	return o.As.node(o.flag()), nil
}

func (l layer) override(o Override) error {
	switch o.Key {
	case "seed":
		return Errorf(o.flag(), "seed belongs to the plan, not to a case; use --seed %s", o.Value)
	case "title":
		return Errorf(o.flag(), "title: each case has its own, so --set can't change it")
	}
	value, err := o.node()
	if err != nil {
		return err
	}
	if err := l.add(field{At: o.flag(), Name: o.Key, Value: value}); err != nil {
		return err
	}
	g := l[o.Key]
	g.override = true
	l[o.Key] = g
	return nil
}
