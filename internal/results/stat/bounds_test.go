package stat

import (
	"math"
	"testing"
)

// medianOfTwo is the median of a lognormal time of which a part is of level 1 and the rest of another level.
func medianOfTwo(part, other, sigma float64) float64 {
	below := func(x, level float64) float64 { return math.Erfc(-math.Log(x/level)/sigma/math.Sqrt2) / 2 }
	lo, hi := 0.5, 2.0
	for range 60 {
		if x := (lo + hi) / 2; part*below(x, 1)+(1-part)*below(x, other) < 0.5 {
			lo = x
		} else {
			hi = x
		}
	}
	return lo
}

// The reason for NotableChange: a step that is as large moves a rate and a p50 by no more than 5% from what the longer part of
// the phase has, wherever it is and however calls scatter.
func TestAChangeThatIsNotNotableMovesAFigureBy5PercentAtMost(t *testing.T) {
	t.Parallel()
	for part := 0.5; part < 1; part += 0.05 {
		for _, other := range []float64{1 + NotableChange, 1 - NotableChange} {
			if rate := part + (1-part)*other; math.Abs(rate-1) > 0.05+1e-9 {
				t.Errorf("a step to %v after %.2f: a rate of %v", other, part, rate)
			}
			for _, sigma := range []float64{0.01, 0.05, 0.2, 1} {
				if p50 := medianOfTwo(part, other, sigma); math.Abs(p50-1) > 0.0525 {
					t.Errorf("a step to %v after %.2f, σ %v: a p50 of %v", other, part, sigma, p50)
				}
			}
		}
	}
}

// The reason for UnstableSpread: of rows of 10 trials whose interval is so wide, half tell no difference under 20% in 8 of 10
// comparisons.
func TestUnstableRowsTellNoDifferenceUnder20Percent(t *testing.T) {
	t.Parallel()
	random := seeded()
	var least []float64
	for range 400 {
		a, b := noise{"", normal, 0}.of(random, 10, 0.15), noise{"", normal, 0}.of(random, 10, 0.15)
		s := Summarize(a)
		if width := (s.Hi - s.Lo) / s.Median; math.Abs(width-UnstableSpread) < 0.03 {
			least = append(least, decided(Compare(a, b), 0.05).Least)
		}
	}
	if got := middle(least); len(least) < 80 || got < 0.20 || got > 0.27 {
		t.Errorf("%d rows tell %.3f", len(least), got)
	}
}
