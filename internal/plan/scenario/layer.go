package scenario

import (
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
)

// A layer is a set of keys with their values: the defaults, one case, or the command line.
type layer map[string]given

// given is a key as somebody wrote it.
type given struct {
	at       string // of the key
	value    node
	override bool // the command line gave it
}

// add checks a field by itself and puts it into the layer. What can be judged only together with other keys, or with
// the kind, is left to resolve.
func (l layer) add(f field) error {
	if err := checkKey(f); err != nil {
		return err
	}
	if _, twice := l[f.name]; twice {
		return Errorf(f.at, "%s is given twice", f.name)
	}
	if k, ok := keyNamed(f.name); ok && k.rival != "" {
		if _, both := l[k.rival]; both {
			return Errorf(f.at, "%s and %s exclude each other; give one of the two", f.name, k.rival)
		}
	}
	l[f.name] = given{at: f.at, value: f.value}
	return nil
}

func checkKey(f field) error {
	if f.name == "kind" {
		_, err := readKinds(f.value)
		return err
	}
	k, known := keyNamed(f.name)
	if !known {
		return Errorf(f.at, "unknown key %q%s", f.name, hint.Of(f.name, keyNames()))
	}
	return k.read(new(Case), f.value)
}

func readKinds(value node) ([]string, error) {
	read, err := readAxis("kind", value, scalarOf(oneOf(kinds...)))
	if err != nil {
		return nil, err
	}
	var once []string
	for _, kind := range read {
		if !slices.Contains(once, kind) {
			once = append(once, kind)
		}
	}
	return once, nil
}

// used collects the keys of a layer that some case may have.
type used map[string]bool

// unused is the error of a layer of which no case may have a key, nil when there is none such.
func (l layer) unused(had used) error {
	var idle []string
	for name := range l {
		if !had[name] {
			idle = append(idle, name)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	slices.Sort(idle)
	return Errorf(l[idle[0]].at, "%s: no case may have it%s", idle[0], why(idle[0]))
}

// why tells which cases may have the key.
func why(name string) string {
	k, _ := keyNamed(name)
	switch {
	case k.lone != "":
		return "; a case of kind " + orList(without(k.kinds, k.lone)) +
			" may, and one of kind " + k.lone + " that has the key itself"
	case len(k.kinds) < len(kinds):
		return "; only one of kind " + orList(k.kinds) + " may"
	default:
		return ""
	}
}

func without(words []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
}

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
