package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// An Override is a key that the command line sets in every case that may have it.
type Override struct {
	Key   string
	Value string // YAML; a list on an axis
	Flag  string // as the user wrote it, for error messages; empty stands for --set KEY=VALUE
}

// Set reads the argument of --set.
func Set(argument string) (Override, error) {
	key, value, found := strings.Cut(argument, "=")
	if !found || key == "" {
		return Override{}, Errorf("--set "+argument, "this is not KEY=VALUE")
	}
	return Override{Key: key, Value: value}, nil
}

// shorthands are the flags that stand for a --set, and their keys.
var shorthands = map[string]string{
	"duration": "duration", "warmup": "warmup", "trials": "trials", "stacks": "stack", "jvm-options": "jvm_options",
}

// Shorthand is the Override of --duration, --warmup, --trials, --stacks or --jvm-options, named without the dashes. The
// value of stacks is names with commas between them, that of jvm-options one text, whatever is in it.
func Shorthand(flag, value string) (Override, error) {
	o := Override{Key: shorthands[flag], Value: value, Flag: "--" + flag + " " + value}
	if o.Key == "" {
		return Override{}, Errorf(o.Flag, "--%s is no shorthand for a --set", flag)
	}
	switch flag {
	case "stacks":
		var names []string
		for stack := range strings.SplitSeq(value, ",") {
			names = append(names, fmt.Sprintf("%q", strings.TrimSpace(stack)))
		}
		o.Value = "[" + strings.Join(names, ", ") + "]"
	case "jvm-options":
		o.Value = quoted(value)
	}
	return o, nil
}

// quoted makes a text a YAML scalar that means the text.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Check refuses an override that no case could have. The error is an *Error.
func Check(o Override) error { return layer{}.override(o) }

func (o Override) flag() string {
	if o.Flag != "" {
		return o.Flag
	}
	return "--set " + o.Key + "=" + o.Value
}

// Apply makes the scenarios anew with the overrides: each replaces its key in every case that may have it. One that
// no case of any of the scenarios may have is an error. Every error is an *Error.
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
		var err error
		applied[i].Cases, err = applied[i].source.resolve(set, used{}, setHad)
		if err != nil {
			return nil, err
		}
	}
	return applied, set.unused(setHad)
}

func (l layer) override(o Override) error {
	switch o.Key {
	case "seed":
		return Errorf(o.flag(), "seed belongs to the plan, not to a case; give it by --seed %s", o.Value)
	case "title":
		return Errorf(o.flag(), "title: each case has its own; it can't be set")
	}
	value, err := readFlag(o.flag(), o.Value)
	if err != nil {
		return err
	}
	if err := l.add(field{at: o.flag(), name: o.Key, value: value}); err != nil {
		return err
	}
	g := l[o.Key]
	g.override = true
	l[o.Key] = g
	return nil
}
