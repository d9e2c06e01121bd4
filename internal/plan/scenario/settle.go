package scenario

import "slices"

// Settle makes the scenarios anew, with the kinds that their servers say: kindOf is asked of each Case without a kind.
// Every error is an *Error.
func Settle(scenarios []Scenario, kindOf func(Case) string) ([]Scenario, error) {
	settled := slices.Clone(scenarios)
	setHad := used{}
	var set layer
	for i := range settled {
		s := &settled[i]
		s.source.cases = slices.Clone(s.source.cases)
		for _, c := range s.Cases {
			if c.Kind == "" {
				s.source.cases[c.from].found = kindOf(c)
			}
		}
		defaultsHad := used{}
		if err := s.remake(defaultsHad, setHad); err != nil {
			return nil, err
		}
		if err := s.source.defaults.unused(defaultsHad); err != nil {
			return nil, err
		}
		set = s.source.set
	}
	return settled, set.unused(setHad)
}
