package main

import (
	"fmt"
	"math/rand/v2"

	"rpcbench/internal/results/stat"
)

// A pair is two measurements of the same thing in short succession, so that slow changes of the machine affect both.
type pair struct{ a, b float64 }

// A side measures one half of a pair.
type side func() (float64, error)

// pairOf measures both sides in random order, so that neither is always the one that comes second.
func pairOf(random *rand.Rand, a, b side) (p pair, err error) {
	sides := []struct {
		measure side
		result  *float64
	}{{a, &p.a}, {b, &p.b}}
	random.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
	for _, s := range sides {
		if *s.result, err = s.measure(); err != nil {
			return p, err
		}
		if *s.result <= 0 {
			return p, fmt.Errorf("a side measured %v", *s.result)
		}
	}
	return p, nil
}

// ratios sums up a / b.
func ratios(pairs []pair) stat.Summary {
	return summarize(pairs, func(p pair) float64 { return p.a / p.b })
}

// differences sums up a − b.
func differences(pairs []pair) stat.Summary {
	return summarize(pairs, func(p pair) float64 { return p.a - p.b })
}

// contains reports whether the interval has the value in it.
func contains(s stat.Summary, value float64) bool { return s.Lo <= value && value <= s.Hi }

// within reports whether the whole interval is at most off away from 1.
func within(s stat.Summary, off float64) bool { return s.Lo >= 1-off && s.Hi <= 1+off }
