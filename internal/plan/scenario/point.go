package scenario

// A Setting is a key of a case with one value: a text, or a map of texts for options, a background and a link.
type Setting struct {
	Key  string
	Text string
	Map  map[string]string // instead of Text, where it is not nil
}

// CheckPoint returns an *Error if a case of the kind could not have these values, each by itself and all together. Keys
// that are left out are not missed, and get no default. It is for points that were not read from a scenario.
func CheckPoint(kind string, settings []Setting) error {
	if _, err := oneOf(kinds...)(kind); err != nil {
		return Errorf("", "kind: %v", err)
	}
	c, seen := Case{Kind: kind}, layer{}
	for _, s := range settings {
		value := s.node()
		if err := seen.add(field{name: s.Key, value: value}); err != nil {
			return err
		}
		k, _ := keyNamed(s.Key)
		if err := k.read(&c, value); err != nil {
			return err
		}
	}
	return c.check()
}

func (s Setting) node() node {
	if s.Map == nil {
		return node{text: s.Text}
	}
	n := node{form: mapping}
	for name, text := range s.Map {
		n.fields = append(n.fields, field{name: name, value: node{text: text}})
	}
	return n
}
