package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// step is n values of a noise, which change by a factor from one on.
func step(z noise, random *rand.Rand, n, at int, factor float64) []float64 {
	series := z.of(random, n, 0.02)
	for i := at; i < n; i++ {
		series[i] *= factor
	}
	return series
}

func TestChangesAreFoundWhereTheyAre(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	z := noise{"normal", normal, 0}
	series := slices.Concat(z.of(random, 12, 0.01), step(z, random, 12, 0, 1.2), step(z, random, 8, 0, 0.9))
	var places []int
	for _, change := range ChangePoints(series) {
		places = append(places, change.At)
		if change.P > changeLevel || change.P < 1.0/(permutations+1) {
			t.Errorf("p = %g", change.P)
		}
	}
	if !slices.Equal(places, []int{12, 24}) {
		t.Errorf("changes at %v, want 12 and 24", places)
	}
	if !slices.Equal(ChangePoints(series), ChangePoints(slices.Clone(series))) {
		t.Error("the same series has other changes")
	}
}

func TestTheClearestStepNeedsAFewValues(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{ChangeLeast - 1: false, ChangeLeast: true} {
		isFound := false
		for at := changeSide; at <= n-changeSide; at++ {
			series := make([]float64, n)
			for i := range series {
				if series[i] = float64(i); i >= at {
					series[i] += 1e6
				}
			}
			isFound = isFound || len(ChangePoints(series)) > 0
		}
		if isFound != want {
			t.Errorf("a step in %d values is found: %v", n, isFound)
		}
	}
}

func TestASeriesWithoutChangesHasNone(t *testing.T) {
	t.Parallel()
	for _, series := range [][]float64{nil, {1}, {1, 2, 3, 4, 5}, slices.Repeat([]float64{7}, 40),
		{0, 0, 0, math.MaxFloat64, 0, 0, 0}} {
		if found := ChangePoints(series); len(found) > 0 {
			t.Errorf("%v has %v", series, found)
		}
	}
}

// One value out of line is no change: nobody knows whether it stays.
func TestAnOutlierIsNoChange(t *testing.T) {
	t.Parallel()
	series := noise{"normal", normal, 0}.of(rand.New(rand.NewPCG(5, 6)), 30, 0.02)
	series[17] *= 3
	if found := ChangePoints(series); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// The figures of docs/archive.md: of series without a change at most 1 in 100 has one called, whatever the distribution; a step
// of three standard deviations is found nearly always, and no further off than one commit.
func TestFalseAlarmsAndPowerOfChangePoints(t *testing.T) {
	t.Parallel()
	const runs, n = 600, 30
	for _, z := range []noise{
		{"normal", normal, 0}, {"lognormal", lognormal, 0}, {"heavy-tailed", heavyTailed, 0}, {"two-humped", twoHumped, 0},
	} {
		t.Run(z.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			alarms, found, near := 0, 0, 0
			for range runs {
				if len(ChangePoints(z.of(random, n, 0.02))) > 0 {
					alarms++
				}
				changes := ChangePoints(step(z, random, n, 20, 1.06))
				if len(changes) > 0 {
					found++
				}
				if slices.ContainsFunc(changes, func(c ChangePoint) bool { return c.At >= 19 && c.At <= 21 }) {
					near++
				}
			}
			t.Logf("of %d: %d false alarms; %d found, %d within one", runs, alarms, found, near)
			if most := maxBinomial(runs, changeLevel); alarms > most {
				t.Errorf("%d false alarms of %d, want at most %d", alarms, runs, most)
			}
			if found < runs*97/100 || near < runs*90/100 {
				t.Errorf("%d steps found and %d near, of %d", found, near, runs)
			}
		})
	}
}

// maxBinomial is what chance p has exceeded in n draws once in about a thousand.
func maxBinomial(n int, p float64) int {
	mean := float64(n) * p
	return int(mean + 3.3*math.Sqrt(mean*(1-p)) + 1)
}
