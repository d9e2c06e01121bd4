package scenario

import "rpcbench/internal/plan/point"

// A Setting is a key of a case with its value, independent of YAML: a text, a list of texts or a map of them.
type Setting struct {
	Key  string
	Text string
	List []string          // instead of Text, where it is not nil
	Map  map[string]string // instead of Text, where it is not nil
}

func (s Setting) node(at string) node {
	switch {
	case s.List != nil:
		n := node{At: at, Form: point.List}
		for _, text := range s.List {
			n.List = append(n.List, node{At: at, Text: text})
		}
		return n
	case s.Map != nil:
		n := node{At: at, Form: point.Map}
		for name, text := range s.Map {
			n.Fields = append(n.Fields, field{At: at, Name: name, Value: node{At: at, Text: text}})
		}
		return n
	default:
		return node{At: at, Text: s.Text}
	}
}
