package scenario

import (
	"math"
	"slices"
	"strconv"

	"rpcbench/internal/plan/point"
)

// inFlightOpen is the default number of calls in flight on a connection of an open loop, as in ghz: with one, the rate would be
// limited by one call after another.
const inFlightOpen = 50

// checkParts refuses a key in the layer that has the key which says all of it.
func (l layer) checkParts() error {
	for _, k := range point.Keys() {
		part, hasPart := l[k.Name]
		whole, hasWhole := l[k.Part.Of]
		switch {
		case !hasPart || !hasWhole || k.Part.Leaves(whole.value):
		case k.Part.Beside != nil:
			return Errorf(part.at, "%s: it goes with load constant or poisson without a rate of their own", k.Name)
		default:
			return Errorf(part.at, "%s and %s are mutually exclusive; give only one", k.Name, k.Part.Of)
		}
	}
	return nil
}

// distance returns 0 for a key of the command line, 1 for one of the case, 2 for one of the defaults, and 3 for one that was not
// given.
func (c *Case) distance(key string) int {
	switch g, ok := c.given[key]; {
	case !ok:
		return 3
	case g.override:
		return 0
	case g.shared:
		return 2
	default:
		return 1
	}
}

// rampNearer reports whether the ramp was given in a layer nearer than that of another key.
func (c *Case) rampNearer(other string) bool { return c.distance("ramp") < c.distance(other) }

// settle gives a key the values that follow from parts of it, which are then said.
func (c *Case) settle(key, from string, texts []string, parts ...string) error {
	var nodes []node
	for _, text := range texts {
		if !slices.ContainsFunc(nodes, func(n node) bool { return n.Text == text }) {
			nodes = append(nodes, node{At: c.Where(from, 0), Text: text})
		}
	}
	if g, ok := c.given[from]; ok {
		c.given[key] = given{at: g.at, value: node{At: g.at}, override: g.override, shared: g.shared}
	}
	if err := c.put(key, nodes...); err != nil {
		return err
	}
	for _, part := range parts {
		c.drop(part)
	}
	return nil
}

// completeShape makes a shape of connections, in_flight and a ramp of calls in flight.
func (c *Case) completeShape() error {
	if c.ramps() && c.Given("in_flight") {
		if !c.rampNearer("in_flight") {
			return Errorf(c.Where("in_flight", 0), "in_flight: the ramp says how many calls are in flight; leave one out")
		}
		c.drop("in_flight")
	}
	from := c.shapedBy()
	if from == "" || len(c.of("shape").set) == 0 {
		return nil
	}
	var texts []string
	for _, shape := range c.Each("shape") {
		for _, connections := range c.connections(shape) {
			for _, inFlight := range c.inFlight(shape, connections) {
				texts = append(texts, strconv.Itoa(connections)+"x"+strconv.Itoa(inFlight))
			}
		}
	}
	return c.settle("shape", from, texts, "connections", "in_flight")
}

// shapedBy is the key from which the shape follows, "" where it is as it is: whether it has room for a ramp is asked later.
func (c *Case) shapedBy() string {
	whole := c.Given("shape") && !c.Given("connections")
	switch {
	case c.ramps() && !whole:
		return "ramp"
	case c.ramps():
		return ""
	case c.Given("in_flight"):
		return "in_flight"
	case c.Given("connections"):
		return "connections"
	case c.opens() && !whole:
		return "rate"
	default:
		return ""
	}
}

// ramps reports whether the calls in flight change.
func (c *Case) ramps() bool { return c.Given("ramp") && !c.first().Schedule.OfRate() }

// opens reports whether a rate, or a ramp of rates, makes the load an open one.
func (c *Case) opens() bool { return c.Given("rate") || c.Given("ramp") && !c.ramps() }

// connections returns the given numbers of connections, or those of the shape.
func (c *Case) connections(shape point.Asked) []int {
	if !c.Given("connections") {
		return []int{shape.Connections}
	}
	var list []int
	for _, p := range c.Each("connections") {
		list = append(list, p.Connections)
	}
	return list
}

// inFlight are the calls given, or enough for the ramp, or the shape's.
func (c *Case) inFlight(shape point.Asked, connections int) []int {
	switch {
	case c.ramps():
		return []int{max(1, int(math.Ceil(c.first().Schedule.Most()/float64(connections))))}
	case c.Given("in_flight"):
		var list []int
		for _, p := range c.Each("in_flight") {
			list = append(list, p.InFlight)
		}
		return list
	case c.opens() && !c.Given("shape"):
		return []int{inFlightOpen}
	default:
		return []int{shape.InFlight}
	}
}

// completeRate makes a load of a rate, at the times that the load says.
func (c *Case) completeRate() error {
	if !c.Given("rate") {
		return nil
	}
	var texts []string
	for _, process := range c.processes() {
		for _, p := range c.Each("rate") {
			texts = append(texts, process+" "+number(p.OfferedPerSec)+"/s")
		}
	}
	return c.settle("load", "rate", texts, "rate")
}

// processes returns the arrival processes of an open load: constant by default.
func (c *Case) processes() []string {
	var list []string
	for _, p := range c.Each("load") {
		process := p.Load
		if process == point.LoadClosed {
			process = point.LoadConstant
		}
		if !slices.Contains(list, process) {
			list = append(list, process)
		}
	}
	return list
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
