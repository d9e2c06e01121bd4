package scenario

import "rpcbench/internal/call/hint"

// source is a scenario as it was written, from which its cases are made again when the command line adds a layer.
type source struct {
	defaults layer
	cases    []written
}

// written is one case of a source.
type written struct {
	title   string
	titleAt string
	keys    layer
}

// layers are the three of one case.
type layers struct{ set, own, defaults layer }

// resolve makes the cases. It reports in defaults and set which keys of these layers some case may have.
func (s source) resolve(set layer, defaultsHad, setHad used) ([]Case, error) {
	var cases []Case
	for _, w := range s.cases {
		l := layers{set: set, own: w.keys, defaults: s.defaults}
		kinds, err := l.kinds(w)
		if err != nil {
			return nil, err
		}
		defaultsHad["kind"], setHad["kind"] = true, true
		if err := l.checkOwn(kinds); err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			l.note(kind, defaultsHad, setHad)
			c, err := l.build(w, kind)
			if err != nil {
				return nil, err
			}
			cases = append(cases, c)
		}
	}
	return cases, nil
}

func (l layers) kinds(w written) ([]string, error) {
	for _, from := range []layer{l.set, l.own, l.defaults} {
		if g, ok := from["kind"]; ok {
			return readKinds(g.value)
		}
	}
	return nil, Errorf(w.titleAt, "kind is missing in the case %q%s", w.title, hint.Of("", kinds))
}

// checkOwn refuses a key that the case itself has and none of its kinds can have.
func (l layers) checkOwn(of []string) error {
	for _, k := range keys {
		g, ok := l.own[k.name]
		if !ok {
			continue
		}
		able := false
		for _, kind := range of {
			able = able || k.can(kind)
		}
		if !able {
			return Errorf(g.at, "%s: only a case of kind %s may have it, not %s", k.name, orList(k.kinds), orList(of))
		}
	}
	return nil
}

// note marks the keys that a case of the kind may have from the defaults and from the command line.
func (l layers) note(kind string, defaultsHad, setHad used) {
	for _, k := range keys {
		_, own := l.own[k.name]
		if k.can(kind) {
			defaultsHad[k.name] = defaultsHad[k.name] || k.lone != kind
			setHad[k.name] = setHad[k.name] || k.lone != kind || own
		}
	}
}

func (l layers) build(w written, kind string) (Case, error) {
	c := Case{Title: w.title, Kind: kind, titleAt: w.titleAt, given: layer{}}
	for _, k := range keys {
		if g, ok := l.pick(k, kind); ok {
			c.given[k.name] = g
			if err := k.read(&c, g.value); err != nil {
				return Case{}, err
			}
		} else if value := k.unsaid(c); value != "" && !l.beaten(k, kind) {
			if err := k.read(&c, node{text: value}); err != nil {
				return Case{}, err
			}
		}
	}
	if err := l.checkLone(c); err != nil {
		return Case{}, err
	}
	if err := c.check(); err != nil {
		return Case{}, err
	}
	return c, nil
}

// check refuses values that are good by themselves and not together.
func (c Case) check() error {
	for _, check := range []func(Case) error{checkSample, checkStreams, checkServers, checkLinks, checkSizes} {
		if err := check(c); err != nil {
			return err
		}
	}
	return nil
}

// unsaid is the value that the key has in a case where nobody gives one. Keys are read in the order of the table, so
// that the case has its batches by then.
func (k key) unsaid(c Case) string {
	if k.batched != "" && len(c.Batches) > 0 {
		return k.batched
	}
	return k.fallback(c.Kind)
}

// pick finds the value of the nearest layer that may give the key to a call of the kind.
//
// Defaults and --set speak of many cases, and by request_bytes they mean the size of messages. So the lone request of
// a download and the lone response of an upload are sized by nothing but the case itself (a --set may then replace it).
// duration and calls exclude each other: the nearest layer that has one of them decides.
func (l layers) pick(k key, kind string) (given, bool) {
	if !k.can(kind) {
		return given{}, false
	}
	from := []layer{l.set, l.own, l.defaults}
	if k.lone == kind {
		if _, own := l.own[k.name]; !own {
			return given{}, false
		}
	}
	for _, layer := range from {
		if g, ok := layer[k.name]; ok {
			return g, true
		}
		if _, ok := layer[k.rival]; ok && l.rivalCan(k, kind) {
			return given{}, false
		}
	}
	return given{}, false
}

// beaten tells whether some layer gives the key's rival, so that the key must stay empty.
func (l layers) beaten(k key, kind string) bool {
	if !l.rivalCan(k, kind) {
		return false
	}
	rival, _ := keyNamed(k.rival)
	_, ok := l.pick(rival, kind)
	return ok
}

func (l layers) rivalCan(k key, kind string) bool {
	rival, ok := keyNamed(k.rival)
	return ok && rival.can(kind)
}

// checkLone refuses an upload or download that sizes its lone message and not its messages: whoever writes
// request_bytes: 1MB in a download means its messages, which are the responses.
func (l layers) checkLone(c Case) error {
	for _, k := range keys {
		g, ok := c.given[k.name]
		if !ok || k.lone != c.Kind {
			continue
		}
		many := map[string]string{"request_bytes": "response_bytes", "response_bytes": "request_bytes"}[k.name]
		if _, ok := c.given[many]; !ok {
			return Errorf(g.at, "%s: the messages of kind %s are sized by %s; give that too", k.name, c.Kind, many)
		}
	}
	return nil
}

func checkStreams(c Case) error {
	for i, streams := range c.Streams {
		for _, shape := range c.Shapes {
			if streams > shape.InFlight {
				return Errorf(c.Where("streams", i), "streams: %d is over the limit of %d, the calls in flight of shape %dx%d",
					streams, shape.InFlight, shape.Connections, shape.InFlight)
			}
		}
	}
	return nil
}

// checkServers refuses servers that no connection would be dealt.
func checkServers(c Case) error {
	for i, servers := range c.ServerCounts {
		for _, shape := range c.Shapes {
			if servers > shape.Connections {
				return Errorf(c.Where("servers", i), "servers: %d are more than the connections of shape %dx%d, and some would have none",
					servers, shape.Connections, shape.InFlight)
			}
		}
	}
	return nil
}

// checkSample refuses calls that would be cut off by their own deadline.
func checkSample(c Case) error {
	for _, deadline := range c.Deadlines {
		if c.Sample >= deadline {
			return Errorf(c.Where("sample", 0), "sample: a call of %s does not end before the deadline of %s", c.Sample, deadline)
		}
	}
	return nil
}
