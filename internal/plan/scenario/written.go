package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Written makes a scenario of one case that the command line writes, key by key. Every error is an *Error.
func Written(name, question, title string, keys []Override) (Scenario, error) {
	s := Scenario{Name: name, Question: question, source: source{
		defaults: layer{}, cases: []written{{title: title, keys: layer{}}},
	}}
	applied, err := Apply([]Scenario{s}, keys)
	if err != nil {
		return s, err
	}
	return applied[0], nil
}

// Calls reports whether a case calls a foreign server.
func (s *Scenario) Calls() bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return !c.Service().IsZero() })
}

// CheckStored returns an *Error if a file of the scenario would hold a secret, or lack what was only on standard input.
func (s *Scenario) CheckStored() error {
	for _, c := range s.Cases {
		if err := c.checkStored(); err != nil {
			return err
		}
	}
	return nil
}

// Format is the file of a scenario that Written has made, with the same keys. CheckStored must allow it.
func (s *Scenario) Format(keys []Override) ([]byte, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "name: %s\nquestion: %s\ncases:\n", s.Name, strconv.Quote(s.Question))
	for _, c := range s.Cases {
		fmt.Fprintf(&text, "  - title: %s\n", strconv.Quote(c.Title))
		if !slices.ContainsFunc(keys, func(o Override) bool { return o.Key == "kind" }) {
			fmt.Fprintf(&text, "    kind: %s\n", c.Kind)
		}
		for _, key := range keys {
			fmt.Fprintf(&text, "    %s: %s\n", key.Key, key.yaml())
		}
	}
	again, err := Parse(s.Name+".yaml", []byte(text.String()))
	if err != nil {
		return nil, err
	}
	for i, c := range again.Cases {
		if c.Service().Identity() != s.Cases[i].Service().Identity() {
			return nil, Errorf("", "the scenario can't be written: a file would not say what the flags do")
		}
	}
	return []byte(text.String()), nil
}

// yaml is the value as a file has it.
func (o Override) yaml() string {
	if o.As == nil {
		return o.Value
	}
	var words []string
	switch s := o.As; {
	case s.List != nil:
		for _, text := range s.List {
			words = append(words, strconv.Quote(text))
		}
		return "[" + strings.Join(words, ", ") + "]"
	case s.Map != nil:
		for _, name := range slices.Sorted(maps.Keys(s.Map)) {
			words = append(words, strconv.Quote(name)+": "+strconv.Quote(s.Map[name]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	default:
		return strconv.Quote(s.Text)
	}
}
