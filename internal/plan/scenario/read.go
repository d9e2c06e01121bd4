package scenario

import "rpcbench/internal/call/hint"

// readScenario takes a scenario's file apart. Its cases are not resolved yet.
func readScenario(filename string, root node) (Scenario, error) {
	if root.form != mapping {
		return Scenario{}, Errorf(root.at, "%s stands where a scenario is expected: name, question, cases", root.form)
	}
	s := Scenario{source: source{defaults: layer{}}}
	for _, f := range root.fields {
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
		return Scenario{}, Errorf(filename, "cases is missing: a list with at least one case")
	}
	return s, nil
}

func (s *Scenario) readField(f field) (err error) {
	switch f.name {
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
		err = Errorf(f.at, "unknown key %q%s", f.name, hint.Of(f.name, known))
	}
	return err
}

// readText reads a sentence or a name. Line breaks count as spaces.
func readText(f field) (string, error) {
	if f.value.form != scalar {
		return "", Errorf(f.value.at, "%s: %s stands where a text is expected", f.name, f.value.form)
	}
	text := oneLine(f.value.text)
	if text == "" {
		return "", Errorf(f.value.at, "%s: the text is empty", f.name)
	}
	return text, nil
}

func readDefaults(f field) (layer, error) {
	if f.value.form != mapping {
		return nil, Errorf(f.value.at, "defaults: %s stands where a map of keys is expected", f.value.form)
	}
	defaults := layer{}
	for _, key := range f.value.fields {
		if key.name == "title" {
			return nil, Errorf(key.at, "title: each case has its own; defaults can't give one")
		}
		if err := defaults.add(key); err != nil {
			return nil, err
		}
	}
	return defaults, nil
}

func readCases(f field) ([]written, error) {
	if f.value.form != list {
		return nil, Errorf(f.value.at, "cases: %s stands where a list of cases is expected", f.value.form)
	}
	var cases []written
	titles := map[string]string{}
	for _, item := range f.value.list {
		w, err := readCase(item)
		if err != nil {
			return nil, err
		}
		if first, twice := titles[w.title]; twice {
			return nil, Errorf(w.titleAt, "title: %q is the title of the case at %s already", w.title, first)
		}
		titles[w.title] = w.titleAt
		cases = append(cases, w)
	}
	return cases, nil
}

func readCase(n node) (written, error) {
	if n.form != mapping {
		return written{}, Errorf(n.at, "cases: %s stands where a case is expected: a title and keys", n.form)
	}
	w := written{keys: layer{}}
	for _, f := range n.fields {
		var err error
		if f.name == "title" {
			w.titleAt = f.at
			w.title, err = readText(f)
		} else {
			err = w.keys.add(f)
		}
		if err != nil {
			return written{}, err
		}
	}
	if w.title == "" {
		return written{}, Errorf(n.at, "title is missing: the heading of the case's table, such as 1 kB echo, one caller")
	}
	return w, nil
}
