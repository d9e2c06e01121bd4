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
		for j := range s.source.cases {
			w := &s.source.cases[j]
			at := slices.IndexFunc(s.Cases, func(c Case) bool { return c.Title == w.title })
			if s.Cases[at].Kind == "" {
				w.found = kindOf(s.Cases[at])
			}
		}
		var err error
		defaultsHad := used{}
		if s.Cases, err = s.source.resolve(s.source.set, defaultsHad, setHad); err != nil {
			return nil, err
		}
		if err := s.source.defaults.unused(defaultsHad); err != nil {
			return nil, err
		}
		set = s.source.set
	}
	return settled, set.unused(setHad)
}
