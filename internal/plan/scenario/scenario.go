// Package scenario parses and validates scenarios: YAML files that say what to measure.
//
// A scenario is a name, a question, defaults and cases. A case is a title and keys. A list is allowed on an axis key, and
// the lists of a case make a product. A key's value comes from the first of three layers that has it: the command line
// (--set), the case, the defaults. Otherwise the declarations in package point give the default.
//
// Nothing is ignored. An unknown key, a key that the case's kind can't have, a value beyond its limits, and a default or
// --set that no case may have are each an *Error with the place and, if something similar is known, a suggestion. Package
// plan, not this one, knows which stacks exist and what they support.
package scenario

import "github.com/goccy/go-yaml/token"

// A Scenario is a question and the cases that answer it, checked and complete.
type Scenario struct {
	Name     string
	Question string
	Note     string // a footnote of its reports, may be empty
	File     string // that Load read it from; empty for a built-in one
	Cases    []Case
	// LeftOut are sentences about cases and points that the command line leaves out.
	LeftOut []string

	source       source
	leftOutFirst error // why the first case of those is left out
}

// Trials returns how often a point of the scenario is repeated: the most that one of its cases says.
func (s *Scenario) Trials() int {
	most := 0
	for _, c := range s.Cases {
		most = max(most, c.Trials())
	}
	return most
}

// fileBytesMax is far more than a scenario needs: a longer file was named by mistake, and the YAML parser's time grows with the
// square of the length.
const fileBytesMax = 64 << 10

// Parse reads a scenario. The file name is for error messages only. Every error is an *Error.
func Parse(filename string, data []byte) (Scenario, error) {
	if len(data) > fileBytesMax {
		return Scenario{}, Errorf(filename, "the file is larger than %d bytes, the limit for a scenario", fileBytesMax)
	}
	root, err := readFile(filename, data)
	if err != nil {
		return Scenario{}, err
	}
	return fromNode(filename, root)
}

// Translated reads a scenario converted from another format. Errors name the place that from returns for a line, not the YAML,
// which nobody has seen. Every error is an *Error.
func Translated(data []byte, from func(line int) string) (Scenario, error) {
	root, err := reader(func(t *token.Token) string {
		if t == nil || t.Position == nil {
			return from(0)
		}
		return from(t.Position.Line)
	}).read(data)
	if err != nil {
		return Scenario{}, err
	}
	return fromNode(from(0), root)
}

// fromNode returns the scenario in a file.
func fromNode(filename string, root node) (Scenario, error) {
	s, err := readScenario(filename, root)
	if err != nil {
		return Scenario{}, err
	}
	defaults := used{}
	if err := s.remake(defaults, used{}); err != nil {
		return Scenario{}, err
	}
	return s, s.source.defaults.unused(defaults)
}
