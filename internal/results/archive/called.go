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
		what := whatOf(t, file.Header.AB)
		if what == "" {
			continue
		}
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

// whatOf returns what a trial calls and where; "" for services of our own.
func whatOf(t result.Trial, ab *result.AB) string {
	if t.Spec.Target == "" {
		return ""
	}
	var what []string
	if m := t.Spec.Method; m != nil && len(m.Mix) == 0 {
		what = append(what, m.Name)
	} else if len(t.Cases) > 0 {
		what = append(what, t.Cases[0].Title)
	}
	if ab == nil { // whose ports are chosen anew for each trial
		what = append(what, "at "+t.Spec.Target)
	}
	return strings.Join(what, " ")
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
