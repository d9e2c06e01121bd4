package capacity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rpcbench/internal/results/capacity"
)

// The claims: the middle of the interval is off by less than 1% of the capacity in the median, in either direction, and the
// interval holds the capacity in at least 92% of searches with 3 trials and 98% with 6, as the manual says. That is so whether
// noise is small or large beside the steps of 5%.
func TestTheIntervalHoldsTheCapacity(t *testing.T) {
	t.Parallel()
	const runs = 400
	for _, test := range []struct {
		name       string
		noise      float64
		trials     int
		held, bias float64
	}{
		{"little noise", 0.1, 3, 0.98, 0.01}, {"much noise", 0.4, 3, 0.92, 0.01}, {"much noise, 6 trials", 0.4, 6, 0.98, 0.01},
	} {
		var parts []float64
		held, ended := 0, 0
		for seed := range uint64(runs) {
			q := queue{perSec: 1000, limit: 0.020, noise: test.noise, random: rand.New(rand.NewPCG(seed, 8))}
			s := settings(600)
			s.Trials = test.trials
			found := s.Find(carry(s, q.meets))
			if found.State != capacity.Confirmed || !found.Bound {
				continue
			}
			ended++
			parts = append(parts, math.Sqrt(found.PerSec*found.Failed)/q.truth())
			if found.PerSec <= q.truth() && q.truth() <= found.Failed {
				held++
			}
		}
		slices.Sort(parts)
		if ended < runs*99/100 {
			t.Fatalf("%s: %d of %d searches end with an interval", test.name, ended, runs)
		}
		part, middle := float64(held)/float64(ended), parts[len(parts)/2]
		t.Logf("%s: held in %.1f%%, the middle is %.3f of the truth", test.name, 100*part, middle)
		if part < test.held || math.Abs(middle-1) > test.bias {
			t.Errorf("%s: held in %.1f%%, the middle is %.3f of the truth; want %.0f%%, and 1 within %.2f", test.name, 100*part,
				middle, 100*test.held, test.bias)
		}
	}
}

// What is true of a requirement turned upside down is true of the interval: both ends are found by the same rule.
func TestAnAccidentAtEitherEndCostsOneTrial(t *testing.T) {
	t.Parallel()
	for _, accident := range []float64{1000, 1050} {
		s := settings(1000)
		n := 0
		so := carry(s, func(step capacity.Step) bool {
			met := step.PerSec <= 1010
			if step.Phase == capacity.Search && math.Abs(step.PerSec/accident-1) < 0.02 {
				if n++; n == 1 {
					return !met
				}
			}
			return met
		})
		f := s.Find(so)
		if f.State != capacity.Confirmed || f.PerSec > 1010 || f.Failed < 1010 || f.Failed > f.PerSec*1.12 {
			t.Errorf("an accident at %v: %+v after %v", accident, f, so)
		}
	}
}
