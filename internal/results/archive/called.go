package archive

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// called is what trials called, and under which loads.
type called struct {
	what        string
	rates       []float64 // of open loads, calls per second
	inFlight    []int     // of closed ones, on all connections
	hasSchedule bool      // the load changes
}

// callsOf returns what the trials of a file called on servers of somebody else, each once in the order of the trials:
// "shop.v1.Shop/Get at localhost:8080, 500/s".
func callsOf(file *result.File) []string {
	var all []*called
	for _, t := range file.Trials {
		if t.Spec.Target == "" {
			continue // a service of our own
		}
		what := whatOf(t, file.Header)
		i := slices.IndexFunc(all, func(c *called) bool { return c.what == what })
		if i < 0 {
			i = len(all)
			all = append(all, &called{what: what})
		}
		all[i].add(t)
	}
	words := make([]string, 0, len(all))
	for _, c := range all {
		words = append(words, c.words(file.Header.AB))
	}
	return words
}

// whatOf returns what a trial calls and where.
func whatOf(t result.Trial, h result.Header) string {
	what := titleOf(t, h)
	if m := t.Spec.Method; m != nil && len(m.Mix) == 0 {
		what = m.Name
	}
	if h.AB != nil { // whose ports are chosen anew for each trial
		return what
	}
	return what + " at " + t.Spec.Target
}

// titleOf returns the title of what a trial calls. In a search the trial's own case is a part of it, and that of its base is not.
// Files made before bases were kept say only of which kind it is.
func titleOf(t result.Trial, h result.Header) string {
	switch {
	case h.AB == nil && h.Capacity == nil:
		if len(t.Cases) > 0 {
			return t.Cases[0].Title
		}
	case h.AB != nil && h.AB.Base != nil:
		if cases := h.AB.Base.Cases; len(cases) > 0 {
			return cases[0].Title
		}
	case h.Capacity != nil:
		for _, base := range h.Capacity.Bases {
			if strings.HasPrefix(t.ID, base.ID) && len(base.Cases) > 0 {
				return base.Cases[0].Title
			}
		}
	}
	return t.Spec.Kind
}

func (c *called) add(t result.Trial) {
	switch s := t.Spec; {
	case s.Schedule != nil:
		c.hasSchedule = true
	case s.Closed():
		c.inFlight = append(c.inFlight, s.Slots())
	default:
		c.rates = append(c.rates, s.OfferedPerSec)
	}
}

func (c *called) words(ab *result.AB) string {
	words := []string{c.what}
	if len(c.rates) > 0 {
		words = append(words, span(c.rates, number.Short)+"/s")
	}
	if len(c.inFlight) > 0 {
		words = append(words, span(c.inFlight, number.Whole[int])+" in flight")
	}
	if c.hasSchedule {
		words = append(words, "a ramp")
	}
	if ab != nil {
		words = append(words, "A "+strings.Join(ab.A.Command, " "), "B "+strings.Join(ab.B.Command, " "))
	}
	return strings.Join(words, ", ")
}

// span prints the least and the most of values, or the only one.
func span[T int | float64](values []T, text func(T) string) string {
	least, most := slices.Min(values), slices.Max(values)
	if least == most {
		return text(least)
	}
	return fmt.Sprintf("%s–%s", text(least), text(most))
}
