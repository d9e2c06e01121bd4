package scenario

import (
	"slices"

	"rpcbench/internal/plan/point"
)

// A Case is what a scenario's case says about one call kind; a case with a list of kinds becomes one Case for each, all with the
// same title. Lists are axes: the case stands for their product.
type Case struct { //nolint:recvcheck // it is completed once, while it is built
	Title string
	Kind  string

	service point.Service
	values  []values // in the order of the keys; no entry for what nobody says and has no default
	titleAt string
	written string // the title before it was made anew; empty where it was not
	given   layer  // where each value came from; no entry for what nobody gave
	from    int    // which of the scenario's cases, as they are written
	choice  point.Choice
	// barred are rules that some of the product's points break and that the command line's keys brought about: those points
	// are left out.
	barred []point.Rule
}

// values holds the values of a key, at least one.
type values struct {
	key *point.Key
	set []point.Setter
}

// Points returns the product of the case's axes, except for points that keys of the command line exclude. Axes whose values the
// plan pairs are not part of it.
func (c Case) Points() []point.Asked { return c.points() }

// points returns the points of the product that no rule bars.
func (c *Case) points() []point.Asked { return slices.DeleteFunc(c.product(), c.bars) }

// product are all points of the axes.
func (c *Case) product() []point.Asked {
	points := []point.Asked{{Spec: point.Spec{Kind: c.Kind}}}
	for _, v := range c.values {
		if !v.key.Paired {
			points = v.cross(points)
		}
	}
	return points
}

// Takes reports whether the user chose a point of the case.
func (c Case) Takes(s point.Spec) bool {
	return c.choice.Takes(c.Title, s) || c.written != "" && c.choice.Takes(c.written, s)
}

// cross makes every point once for each value.
func (v values) cross(points []point.Asked) []point.Asked {
	crossed := make([]point.Asked, 0, len(points)*len(v.set))
	for _, p := range points {
		for _, set := range v.set {
			next := p
			set(&next)
			crossed = append(crossed, next)
		}
	}
	return crossed
}

// Size returns the number of Points, up to most+1.
func (c Case) Size(most int) int {
	size := 1
	for _, v := range c.values {
		if !v.key.Paired {
			size = min(size*len(v.set), most+1)
		}
	}
	return size
}

// Each returns, for each value of a key, a point that has nothing but that.
func (c Case) Each(key string) []point.Asked {
	return c.of(key).cross([]point.Asked{{Spec: point.Spec{Kind: c.Kind}}})
}

// of is empty for a key that the case has not.
func (c Case) of(key string) values {
	i := slices.IndexFunc(c.values, func(v values) bool { return v.key.Name == key })
	if i < 0 {
		return values{}
	}
	return c.values[i]
}

// first is the point of the first value of each key.
func (c Case) first() point.Asked { return c.at(nil) }

// at is the point with the value number places[key] of each key, the first where there is no place.
func (c Case) at(places map[string]int) point.Asked {
	p := point.Asked{Spec: point.Spec{Kind: c.Kind}}
	for _, v := range c.values {
		v.set[places[v.key.Name]](&p)
	}
	return p
}

// Trials returns the number of repetitions of each point.
func (c Case) Trials() int { return c.first().Trials }

// Where returns where value number i of the key was written: "my.yaml:3:14" or "--set stack=[a, b]". For a key that was not given
// it is the place of the case's title.
func (c Case) Where(key string, i int) string {
	g, ok := c.given[key]
	if !ok {
		return c.titleAt
	}
	if items := g.value.Items(); i < len(items) {
		return items[i].At
	}
	return g.value.At
}

// Given reports whether the key was given.
func (c Case) Given(key string) bool {
	_, ok := c.given[key]
	return ok
}

// Service returns the foreign server; the zero Service if calls are of rpcbench's own services.
func (c Case) Service() point.Service { return c.service }

// put gives a key other values.
func (c *Case) put(key string, nodes ...node) error {
	k, _ := point.Named(key)
	n := nodes[0]
	if len(nodes) > 1 {
		n = node{At: n.At, Form: point.List, List: nodes}
	}
	setters, err := k.Read(n)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.values, func(v values) bool { return v.key == k })
	if at >= 0 {
		c.values[at].set = setters
		return nil
	}
	behind := slices.IndexFunc(c.values, func(v values) bool {
		return slices.Index(point.Keys(), v.key) > slices.Index(point.Keys(), k)
	})
	if behind < 0 {
		behind = len(c.values)
	}
	c.values = slices.Insert(c.values, behind, values{k, setters})
	return nil
}

// drop takes a key's values away.
func (c *Case) drop(key string) {
	c.values = slices.DeleteFunc(c.values, func(v values) bool { return v.key.Name == key })
	delete(c.given, key)
	c.service = c.first().Service
}

// Overridden reports whether the command line gave the key.
func (c Case) Overridden(key string) bool { return c.given[key].override }

// check refuses values that are good by themselves and not together.
func (c *Case) check() error {
	for _, rule := range point.Rules() {
		if c.combinations(rule.Keys) > combinationsMax {
			continue // the plan refuses the case, which has as many points
		}
		err := c.obey(rule, rule.Keys, map[string]int{})
		if err != nil && !c.bar(rule) {
			return err
		}
	}
	return nil
}

// combinationsMax is as many trials as a plan may have.
const combinationsMax = 100_000

func (c Case) combinations(keys []string) int {
	product := 1
	for _, key := range keys {
		product = min(product*max(len(c.of(key).set), 1), combinationsMax+1)
	}
	return product
}

// obey tries all combinations of the keys' values, the first key's in the outer loop.
func (c Case) obey(rule point.Rule, keys []string, places map[string]int) error {
	if len(keys) > 0 {
		for i := range max(len(c.of(keys[0]).set), 1) {
			places[keys[0]] = i
			if err := c.obey(rule, keys[1:], places); err != nil {
				return err
			}
		}
		return nil
	}
	if fault := rule.Fault(c.at(places)); fault != nil {
		return Errorf(c.Where(fault.Field, places[fault.Field]), "%s: %s", fault.Field, fault.Reason)
	}
	return nil
}
