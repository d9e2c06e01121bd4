package scenario

import (
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/point"
)

// A layer is a set of keys with their values: the defaults, one case, or the command line.
type layer map[string]given

// given is a key as it was written.
type given struct {
	at       string // of the key
	value    node
	override bool // the command line gave it
	shared   bool // the defaults gave it, to all cases that may have it
}

// add checks a field by itself and puts it into the layer. Checks that need other keys, or the kind, are left to resolve.
func (l layer) add(f field) error {
	if err := checkKey(f); err != nil {
		return err
	}
	if _, twice := l[f.Name]; twice {
		return Errorf(f.At, "%s is given twice", f.Name)
	}
	if k, ok := point.Named(f.Name); ok && k.Rival != "" {
		if _, both := l[k.Rival]; both {
			return Errorf(f.At, "%s and %s are mutually exclusive; give only one", f.Name, k.Rival)
		}
	}
	l[f.Name] = given{at: f.At, value: f.Value}
	return l.checkParts()
}

func checkKey(f field) error {
	if f.Name == point.KindKey {
		_, err := point.ReadKinds(f.Value)
		return err
	}
	k, known := point.Named(f.Name)
	if !known {
		return Errorf(f.At, "unknown key %q%s", f.Name, hint.Of(f.Name, point.Names()))
	}
	_, err := k.Read(f.Value)
	return err
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
	return Errorf(l[idle[0]].at, "%s: no case supports it%s", idle[0], why(idle[0]))
}

// why returns which cases may have the key.
func why(name string) string {
	k, _ := point.Named(name)
	switch {
	case k.Lone != "":
		return "; cases of kind " + orList(without(k.Kinds, k.Lone)) +
			" support it, and those of kind " + k.Lone + " that have the key themselves"
	case len(k.Kinds) < len(point.Kinds()):
		return "; only cases of kind " + orList(k.Kinds) + " support it"
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
