// Package scenario parses and validates scenarios: what a user wants to know, said in YAML.
//
// A scenario is a name, a question, defaults and cases. A case is a title and keys; a list is allowed on an axis key
// and makes a product. Three layers give a key its value, the nearest first: the command line (--set), the case, the
// defaults; what none of them says comes from the declarations in package point, as all that is known of a key does.
//
// Nothing is ignored. An unknown key, a key that the case's kind can't have, a value out of its limits, a default or
// a --set that no case may have: each is an *Error that says where and, when something known is near, what was meant.
// Which stacks there are and what they can do is not known here: package plan judges that.
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

// fileBytesMax is far more than a scenario takes: what is longer was named by mistake, and the YAML parser's time grows
// with the square of the length.
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

// Translated reads a scenario that was made of something else. Errors are where a function says that a line came from, not in
// the YAML, which nobody has seen. Every error is an *Error.
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

// fromNode makes a scenario of what a file has.
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
