package stat

import (
	"math"
	"testing"
)

// The number that is proposed decides about 8 times of 10, and 6 of 10 at least in skewed noise and with so few trials that
// their interval has no other ends than the extremes: with a spread of 5%, and a bound 3% and 8% above the true median.
func TestTheTrialsThatAreProposedDecide(t *testing.T) {
	t.Parallel()
	const runs = 400
	for _, kind := range []noise{{"normal", normal, 0}, {"lognormal", lognormal, 0}, {"heavy-tailed", heavyTailed, 0}} {
		for _, above := range []float64{0.03, 0.08} {
			random, bound := seeded(), 1000*(1+above)
			whole := func(n int) Estimate {
				s := Summarize(kind.of(random, n, 0.05))
				return Estimate{s.Median, s.Lo, s.Hi}
			}
			// What a user has to go by is one interval; by the interval of a typical sample it is about right.
			typical := Estimate{Value: 1000, Lo: 1000, Hi: 1000}
			for range runs {
				e := whole(20)
				typical.Lo, typical.Hi = typical.Lo*math.Pow(e.Lo/e.Value, 1./runs), typical.Hi*math.Pow(e.Hi/e.Value, 1./runs)
			}
			n, ok := TrialsToClear(typical, 20, bound)
			if !ok {
				t.Fatalf("%s, %v: %+v", kind.name, above, typical)
			}
			decided := partOf(runs, func() bool { e := whole(n); return e.Hi < bound || e.Lo > bound })
			if decided < 0.60 || n > 200 {
				t.Errorf("%s: %d trials decide on a bound %v above in %.0f%%, want at least 60%%", kind.name, n, above, 100*decided)
			}
		}
	}
}

func TestWhatNoNumberOfTrialsDecidesIsNotProposed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of     Estimate
		trials int
		bound  float64
		want   int
	}{
		{Estimate{100, 90, 110}, 10, 100, 0}, {Estimate{0, 0, 1}, 10, 0.5, 0}, {Estimate{100, 90, 110}, 0, 105, 0},
		{Estimate{100, 90, 110}, 10, 105, 79}, {Estimate{100, 0, 110}, 10, 95, 0}, {Estimate{100, 99, 101}, 3, 102, 6},
	} {
		if n, ok := TrialsToClear(c.of, c.trials, c.bound); n != c.want || ok != (c.want > 0) {
			t.Errorf("%+v of %d trials and %v: %d, %v; want %d", c.of, c.trials, c.bound, n, ok, c.want)
		}
	}
}
