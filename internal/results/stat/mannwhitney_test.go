package stat

import (
	"math"
	"math/bits"
	"testing"
)

// byCounting is the two-sided p value by definition: over all ways to deal the values to two sides of these sizes.
func byCounting(a, b []float64) float64 {
	all := append(append([]float64{}, a...), b...)
	u := func(sides uint) (u float64) {
		for i, x := range all {
			for j, y := range all {
				if sides>>i&1 == 1 && sides>>j&1 == 0 {
					switch {
					case x > y:
						u++
					case x == y:
						u += 0.5
					}
				}
			}
		}
		return u
	}
	observed := u(1<<len(a) - 1)
	var deals, low, high float64
	for sides := range uint(1) << len(all) {
		if bits.OnesCount(sides) != len(a) {
			continue
		}
		deals++
		if u(sides) <= observed {
			low++
		}
		if u(sides) >= observed {
			high++
		}
	}
	return min(1, 2*low/deals, 2*high/deals)
}

// twoSided is the p value of Mann and Whitney's test against the alternative that two samples differ.
func twoSided(a, b []float64) float64 { return min(1, 2*oneSided(a, b), 2*oneSided(b, a)) }

func TestMannWhitneyIsExactWithAndWithoutTies(t *testing.T) {
	t.Parallel()
	random := seeded()
	for run := range 120 {
		var a, b []float64
		different := 1 + run%6 // few different values make ties
		for range 1 + run%4 {
			a = append(a, float64(random.IntN(different*3)))
		}
		for range 1 + run%5 {
			b = append(b, float64(random.IntN(different*3)))
		}
		if got, want := twoSided(a, b), byCounting(a, b); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v and %v: p is %v, want %v", a, b, got, want)
		}
	}
}

// TestMannWhitneyMeetsTheTable takes U = 23, the critical value for 10 and 10 at 5% in the tables, and U = 30.
func TestMannWhitneyMeetsTheTable(t *testing.T) {
	t.Parallel()
	a := []float64{1, 2, 3, 4, 5, 6, 7, 18, 19, 20}
	b := []float64{8, 9, 10, 11, 12, 13, 14, 15, 16, 17} // 30 of 100 pairs have a above b
	near(t, "p at U = 30", twoSided(a, b), 0.1431, 1e-3)
	a, b = []float64{1, 2, 3, 4, 5, 6, 7, 11, 19, 20}, []float64{8, 9, 10, 12, 13, 14, 15, 16, 17, 18}
	near(t, "p at U = 23", twoSided(a, b), 0.0433, 1e-2)
	if twoSided(a, b) != twoSided(b, a) {
		t.Error("p depends on the order of the sides")
	}
}

func TestSamplesThatTellNothingHaveThePValue1(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2][]float64{{{}, {1}}, {{1}, {}}, {{2, 2}, {2}}, {{1}, {2}}, {{1, 2, 3, 4}, {1, 2, 3, 4}},
		{{math.NaN()}, {1}}, {{1, 2, 3, 4}, {5, 6, 7, math.NaN()}}} {
		if p := twoSided(pair[0], pair[1]); p != 1 {
			t.Errorf("%v: p is %v", pair, p)
		}
	}
}

func TestLargeSamplesAreTestedInNoTime(t *testing.T) {
	t.Parallel()
	var a, b []float64
	for i := range 3000 {
		a, b = append(a, float64(i%500)), append(b, float64(i%500)+25)
	}
	if p := twoSided(a, b); p > 1e-10 || p < 0 {
		t.Errorf("p is %v", p)
	}
}

func TestTheLeastPIsThatOfSidesWithoutOverlap(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 8; n++ {
		for m := 1; m <= 8; m++ {
			var a, b []float64
			for i := range n {
				a = append(a, float64(i))
			}
			for i := range m {
				b = append(b, float64(100+i))
			}
			near(t, "the least p", LeastP(n, m), twoSided(a, b), 1e-9)
		}
	}
	near(t, "4 and 4", LeastP(4, 4), 2./70, 1e-12)
	if p := LeastP(2000, 2000); p != 0 {
		t.Errorf("of 2,000 it is %v", p)
	}
}

func TestTrialsNeededGrowWithTheLevelsStrictness(t *testing.T) {
	t.Parallel()
	for level, want := range map[float64]int{0.5: 2, 0.1: 4, 0.05: 4, 0.01: 5, 0.005: 6, 0.05 / 20: 6, 0.05 / 100: 8, 1e-6: 12} {
		if got := TrialsNeeded(level); got != want {
			t.Errorf("at %v: %d, want %d", level, got, want)
		}
	}
}
