package stat

import (
	"math"
	"slices"
	"testing"
)

// published are the p values of section 4 of Benjamini and Hochberg's paper, of which the procedure calls the first 4.
var published = []float64{
	0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1,
}

func TestThePublishedFamilyIsAdjustedAsPublished(t *testing.T) {
	t.Parallel()
	want := []float64{0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.0298 * 15 / 7, 0.0298 * 15 / 7, 0.0645, 0.0765, 0.486}
	for i, q := range Adjust(published)[:len(want)] {
		near(t, "q", q, want[i], 1e-9)
	}
	if n := called(published); n != 4 {
		t.Errorf("%d called", n)
	}
}

func TestAdjustKeepsTheOrderAndTheFamily(t *testing.T) {
	t.Parallel()
	p := []float64{0.9, 0.01, 0.04, 0.03}
	for i, want := range []float64{0.9, 0.04, 0.16 / 3, 0.16 / 3} {
		near(t, "q", Adjust(p)[i], want, 1e-9)
	}
	if p[0] != 0.9 || p[1] != 0.01 || len(Adjust(nil)) != 0 {
		t.Errorf("p is now %v", p)
	}
}

func TestARowsLevelDependsOnHowManyOthersAreCalled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.3}, []float64{0.05}},
		{[]float64{0.3, 0.5, 0.6, 0.7, 0.8}, []float64{0.01, 0.01, 0.01, 0.01, 0.01}},
		{[]float64{0.001, 0.5, 0.6, 0.7, 0.8}, []float64{0.01, 0.02, 0.02, 0.02, 0.02}},
		{[]float64{1e-6, 1e-6, 0.9, 1e-6, 1e-6}, []float64{0.04, 0.04, 0.05, 0.04, 0.04}},
		{[]float64{0.018, 0.5, 0.018}, []float64{0.1 / 3, 0.05, 0.1 / 3}}, // each alone fails 0.05/3; together they pass
	} {
		for i, level := range Levels(c.p, 0.05) {
			near(t, "the level", level, c.want[i], 1e-9)
		}
	}
}

// TestLevelsCallWhatAdjustCalls holds the two against each other in families of all sizes, some full of equal p values.
func TestLevelsCallWhatAdjustCalls(t *testing.T) {
	t.Parallel()
	random, calls := seeded(), 0
	for run := range 1000 {
		p := make([]float64, 1+run%12)
		for i := range p {
			p[i] = math.Pow(random.Float64(), 4)
			if run%3 == 0 {
				p[i] = LeastP(3, 3+random.IntN(5))
			}
		}
		q, levels := Adjust(p), Levels(p, 0.05)
		for i := range p {
			if under(q[i], 0.05) {
				calls++
			}
			if under(q[i], 0.05) != under(p[i], levels[i]) {
				t.Fatalf("family %v: q %v, levels %v", p, q, levels)
			}
			if want := 0.05 * float64(calledWith0At(p, i)) / float64(len(p)); math.Abs(levels[i]-want) > 1e-12 {
				t.Fatalf("family %v: the level of %v is %v, want %v", p, p[i], levels[i], want)
			}
		}
	}
	if calls < 1000 {
		t.Errorf("only %d calls to compare", calls)
	}
}

// calledWith0At counts what is called if the i-th p value is 0.
func calledWith0At(p []float64, i int) int {
	p = slices.Clone(p)
	p[i] = 0
	return called(p)
}

// called counts what Adjust calls at 0.05.
func called(p []float64) (calls int) {
	for _, q := range Adjust(p) {
		if under(q, 0.05) {
			calls++
		}
	}
	return calls
}
