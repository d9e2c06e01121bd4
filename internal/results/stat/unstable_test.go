package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Samples of one hump are called two-humped in 1% at most, 2% where neighboring trials share 0.8. A drift over the trials of
// as much as the noise changes nothing.
func TestOneHumpIsSeldomCalledTwo(t *testing.T) {
	t.Parallel()
	drifting := func(i, n int) float64 { return 1 + 0.2*float64(i)/float64(n) }
	for _, n := range []int{5, 6, 7, 10, 12, 20, 40} {
		for name, draw := range map[string]func(*rand.Rand) float64{
			"normal": normal, "lognormal": lognormal, "heavy-tailed": heavyTailed,
		} {
			for _, rho := range []float64{0, 0.5, 0.8} {
				for _, drifts := range []bool{false, true} {
					random := seeded()
					accused := partOf(600, func() bool {
						sample := noise{"", draw, rho}.of(random, n, 0.2)
						for i := range sample {
							if drifts {
								sample[i] *= drifting(i, n)
							}
						}
						return Unstable(sample).TwoHumped()
					})
					part := 0.01
					if rho == 0.8 {
						part = 0.02
					}
					if most := part + 2.4*math.Sqrt(part*(1-part)/600); accused > most {
						t.Errorf("%s, %d trials, ρ %v, drifting %v: %.1f%%", name, n, rho, drifts, 100*accused)
					}
				}
			}
		}
	}
}

// Two humps 30% apart, each with noise of 2%, two trials in five in the lower one.
func TestTwoHumpsAreFoundWithTheStatedPower(t *testing.T) {
	t.Parallel()
	for n, least := range map[int]float64{5: 0.2, 6: 0.4, 8: 0.75, 10: 0.9, 20: 0.99} {
		random := seeded()
		found := partOf(500, func() bool {
			sample := make([]float64, n)
			for i := range sample {
				sample[i] = 1000 * (1 + 0.3*indicator(random.Float64() >= 0.4)) * (1 + 0.02*random.NormFloat64())
			}
			return Unstable(sample).TwoHumped()
		})
		if found < least {
			t.Errorf("%d trials: found in %.0f%%, stated are %.0f%%", n, 100*found, 100*least)
		}
	}
}

// An interval of 30% is one that a good machine does not have, and a bad one does.
func TestTheSpreadOfTrialsIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n           int
		variation   float64
		least, most float64
	}{
		{3, 0.05, 0, 0.01}, {5, 0.05, 0, 0.01}, {10, 0.05, 0, 0.01}, {20, 0.05, 0, 0.01},
		{3, 0.10, 0, 0.12}, {10, 0.10, 0, 0.10}, {20, 0.10, 0, 0.01},
		{3, 0.40, 0.75, 1}, {5, 0.40, 0.95, 1}, {10, 0.40, 0.97, 1}, {20, 0.40, 0.85, 1},
	} {
		random := seeded()
		if found := partOf(500, func() bool {
			return Unstable(noise{"", lognormal, 0}.of(random, c.n, c.variation)).Spread > 0
		}); found < c.least || found > c.most {
			t.Errorf("%d trials with noise of %v: %.1f%%, stated are %.0f to %.0f", c.n, c.variation, 100*found, 100*c.least, 100*c.most)
		}
	}
}

func TestInstabilitySaysWhatItIs(t *testing.T) {
	t.Parallel()
	i := Unstable([]float64{54.1, 8.1, 54.3, 63.9, 8.2})
	near(t, "the spread", i.Spread, (63.9-8.1)/54.1, 1e-9)
	i = Unstable([]float64{8.1, 54.1, 8.2, 54.3, 54.2, 54.2})
	if !i.TwoHumped() || i.Low != (Hump{2, 8.149999999999999}) && i.Low != (Hump{2, 8.15}) ||
		i.High.N != 4 || i.High.Median != 54.2 {
		t.Errorf("%+v", i)
	}
	if i = Unstable([]float64{1, 1, 2, 2, 2}); !i.TwoHumped() || i.Low.N != 2 {
		t.Errorf("humps without width: %+v", i)
	}
	for _, steady := range [][]float64{nil, {5}, {100, 101, 99}, {100, 100, 100, 100, 100}, {100, 100, 105, 105, 105}, {0, 0, 0}} {
		if i := Unstable(steady); i.Any() {
			t.Errorf("%v: %+v", steady, i)
		}
	}
}
