package scenario

import (
	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/target"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// source is a scenario as it was written, from which its cases are made again when the command line adds a layer.
type source struct {
	defaults layer
	cases    []written
	set      layer        // of the command line
	choice   point.Choice // of the command line
}

// written is one case of a source.
type written struct {
	title   string
	titleAt string
	keys    layer
	found   string // the kind, where only the server knew it; empty before it was asked
}

// layers are the three of one case.
type layers struct{ set, own, defaults layer }

// resolve makes the cases. It reports in defaults and set which keys of these layers some case may have.
//
// A case that the command line's keys don't go with is left out: it was good without them.
func (s source) resolve(set layer, defaultsHad, setHad used) (made resolved, err error) {
	for i, w := range s.cases {
		l := layers{set: set, own: w.keys, defaults: s.defaults}
		kinds, err := l.kinds(w)
		if err != nil {
			return made, err
		}
		defaultsHad[point.KindKey], setHad[point.KindKey] = true, true
		if err := l.checkOwn(kinds); err != nil && !made.leaveOut(l, w, kinds[0], err) {
			return made, err
		} else if err != nil {
			continue
		}
		for _, kind := range kinds {
			l.note(kind, defaultsHad, setHad)
			c, err := l.build(w, kind)
			switch {
			case err != nil && !made.leaveOut(l, w, kind, err):
				return made, err
			case err == nil:
				c.from, c.choice = i, s.choice
				made.add(c, w.title)
			}
		}
	}
	return made, nil
}

func (l layers) kinds(w written) ([]string, error) {
	if g, ok := l.given(point.KindKey); ok {
		return point.ReadKinds(g.value)
	}
	if _, mixed := l.given("mix"); mixed {
		return []string{stack.KindUnary}, nil
	}
	if _, called := l.given("call"); called {
		return []string{w.found}, nil
	}
	if at, _ := l.given("target"); target.IsURL(at.value.Text) {
		return []string{stack.KindUnary}, nil
	}
	return nil, Errorf(w.titleAt, "kind is missing in case %q%s", w.title, hint.Of("", point.Kinds()))
}

// given is the key as the nearest layer gives it.
func (l layers) given(key string) (g given, ok bool) {
	for _, from := range []layer{l.set, l.own, l.defaults} {
		if g, ok = from[key]; ok {
			return g, true
		}
	}
	return g, false
}

// checkOwn refuses a key that the case itself has and none of its kinds can have.
func (l layers) checkOwn(of []string) error {
	for _, k := range point.Keys() {
		g, ok := l.own[k.Name]
		if !ok {
			continue
		}
		able := false
		for _, kind := range of {
			able = able || k.Can(kind) || kind == ""
		}
		if !able {
			return Errorf(g.at, "%s: only cases of kind %s support it, not %s", k.Name, orList(k.Kinds), orList(of))
		}
	}
	return nil
}

// note marks the keys that a case of the kind may have from the defaults and from the command line.
func (l layers) note(kind string, defaultsHad, setHad used) {
	for _, k := range point.Keys() {
		_, own := l.own[k.Name]
		if kind == "" {
			defaultsHad[k.Name], setHad[k.Name] = true, true
		} else if k.Can(kind) {
			defaultsHad[k.Name] = defaultsHad[k.Name] || k.Lone != kind
			setHad[k.Name] = setHad[k.Name] || k.Lone != kind || own
		}
	}
}

func (l layers) build(w written, kind string) (Case, error) {
	c := Case{Title: w.title, Kind: kind, titleAt: w.titleAt, given: layer{}}
	for _, k := range point.Keys() {
		value, ok := node{}, false
		if g, given := l.pick(k, kind); given {
			c.given[k.Name] = g
			value, ok = g.value, true
		} else if !l.beaten(k, kind) {
			value, ok = k.Unsaid(c.first())
		}
		if !ok {
			continue
		}
		setters, err := k.Read(value)
		if err != nil {
			return Case{}, err
		}
		c.values = append(c.values, values{k, setters})
	}
	if g, ok := l.given(point.KindKey); ok {
		c.given[point.KindKey] = g
	}
	if err := l.checkLone(c); err != nil && kind != "" {
		return Case{}, err
	}
	if err := c.complete(); err != nil || kind == "" {
		return c, err
	}
	if err := c.check(); err != nil {
		return c, err
	}
	c.retitle(l)
	return c, nil
}

// pick finds the value of the nearest layer that may give the key to a call of the kind.
//
// Defaults and --set speak of many cases, and by request_bytes they mean the size of messages. So the lone request of
// a download and the lone response of an upload are sized by nothing but the case itself (a --set may then replace it).
// duration and calls exclude each other: the nearest layer that has one of them decides.
func (l layers) pick(k *point.Key, kind string) (given, bool) {
	if !k.Can(kind) {
		return given{}, false
	}
	from := []layer{l.set, l.own, l.defaults}
	if k.Lone != "" && k.Lone == kind {
		if _, own := l.own[k.Name]; !own {
			return given{}, false
		}
	}
	for _, layer := range from {
		if g, ok := layer[k.Name]; ok {
			return g, true
		}
		if _, ok := layer[k.Rival]; ok && l.rivalCan(k, kind) {
			return given{}, false
		}
		if whole, ok := layer[k.Part.Of]; ok && !k.Part.Leaves(whole.value) {
			return given{}, false
		}
	}
	return given{}, false
}

// beaten reports whether some layer gives the key's rival, so that the key must stay empty.
func (l layers) beaten(k *point.Key, kind string) bool {
	if !l.rivalCan(k, kind) {
		return false
	}
	rival, _ := point.Named(k.Rival)
	_, ok := l.pick(rival, kind)
	return ok
}

func (l layers) rivalCan(k *point.Key, kind string) bool {
	rival, ok := point.Named(k.Rival)
	return ok && rival.Can(kind)
}

// checkLone refuses an upload or download that sizes its single message and not its stream: request_bytes: 1MB in a download
// usually means its messages, which are the responses.
func (l layers) checkLone(c Case) error {
	for _, k := range point.Keys() {
		g, ok := c.given[k.Name]
		if !ok || k.Lone != c.Kind {
			continue
		}
		many := map[string]string{"request_bytes": "response_bytes", "response_bytes": "request_bytes"}[k.Name]
		if _, ok := c.given[many]; !ok {
			return Errorf(g.at, "%s: for kind %s, %s determines the message size; give that too", k.Name, c.Kind, many)
		}
	}
	return nil
}
