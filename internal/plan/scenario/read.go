package scenario

import (
	"strings"
	"unicode"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/point"
)

// readScenario takes a scenario's file apart. Its cases are not resolved yet.
func readScenario(filename string, root node) (Scenario, error) {
	if root.Form != point.Map {
		return Scenario{}, Errorf(root.At, "%s is given; expected a scenario: name, question, cases", root.Form)
	}
	s := Scenario{source: source{defaults: layer{}}}
	for _, f := range root.Fields {
		if err := s.readField(f); err != nil {
			return Scenario{}, err
		}
	}
	switch {
	case s.Name == "":
		return Scenario{}, Errorf(filename, "name is missing")
	case s.Question == "":
		return Scenario{}, Errorf(filename, "question is missing: the sentence that the scenario answers")
	case len(s.source.cases) == 0:
		return Scenario{}, Errorf(filename, "cases is missing: a list of at least one case")
	}
	return s, nil
}

func (s *Scenario) readField(f field) (err error) {
	switch f.Name {
	case "name":
		s.Name, err = readText(f)
	case "question":
		s.Question, err = readText(f)
	case "note":
		s.Note, err = readText(f)
	case "defaults":
		s.source.defaults, err = readDefaults(f)
	case "cases":
		s.source.cases, err = readCases(f)
	default:
		known := []string{"name", "question", "note", "defaults", "cases"}
		err = Errorf(f.At, "unknown key %q%s", f.Name, hint.Of(f.Name, known))
	}
	return err
}

// readText reads a sentence or a name. Line breaks count as spaces.
func readText(f field) (string, error) {
	if f.Value.Form != point.Scalar {
		return "", Errorf(f.Value.At, "%s: %s is given; expected text", f.Name, f.Value.Form)
	}
	text := oneLine(f.Value.Text)
	if text == "" {
		return "", Errorf(f.Value.At, "%s: the text is empty", f.Name)
	}
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		return "", Errorf(f.Value.At, "%s: the text has the control character %q", f.Name, []rune(text[i:])[0])
	}
	return text, nil
}

func readDefaults(f field) (layer, error) {
	if f.Value.Form != point.Map {
		return nil, Errorf(f.Value.At, "defaults: %s is given; expected a map of keys", f.Value.Form)
	}
	defaults := layer{}
	for _, key := range f.Value.Fields {
		if key.Name == "title" {
			return nil, Errorf(key.At, "title: each case has its own; it can't be in defaults")
		}
		if err := defaults.add(key); err != nil {
			return nil, err
		}
		g := defaults[key.Name]
		g.shared = true
		defaults[key.Name] = g
	}
	return defaults, nil
}

func readCases(f field) ([]written, error) {
	if f.Value.Form != point.List {
		return nil, Errorf(f.Value.At, "cases: %s is given; expected a list of cases", f.Value.Form)
	}
	var cases []written
	titles := map[string]string{}
	for _, item := range f.Value.List {
		w, err := readCase(item)
		if err != nil {
			return nil, err
		}
		if first, twice := titles[w.title]; twice {
			return nil, Errorf(w.titleAt, "title: %q is also the title of the case at %s", w.title, first)
		}
		titles[w.title] = w.titleAt
		cases = append(cases, w)
	}
	return cases, nil
}

func readCase(n node) (written, error) {
	if n.Form != point.Map {
		return written{}, Errorf(n.At, "cases: %s is given; expected a case: a title and keys", n.Form)
	}
	w := written{keys: layer{}}
	for _, f := range n.Fields {
		var err error
		if f.Name == "title" {
			w.titleAt = f.At
			w.title, err = readText(f)
		} else {
			err = w.keys.add(f)
		}
		if err != nil {
			return written{}, err
		}
	}
	if w.title == "" {
		return written{}, Errorf(n.At, `title is missing: the heading of the case's table, such as "1 kB echo, `+
			`one caller"`)
	}
	return w, nil
}
