package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// trialsOf are series of as many trials, each of 50 values, as short trials have.
func trialsOf(random *rand.Rand, z noise, trials int, variation float64, factor func(trial, i int) float64) [][]float64 {
	all := make([][]float64, trials)
	for trial := range all {
		all[trial] = scaled(z.of(random, 50, variation), func(i int) float64 { return factor(trial, i) })
	}
	return all
}

func flat(int, int) float64 { return 1 }

// togetherNoises are those in which claims are stated.
var togetherNoises = []noise{
	{"normal", normal, 0}, {"normal", normal, 0.5}, {"lognormal", lognormal, 0.5}, {"heavy-tailed", heavyTailed, 0.5},
	{"two-humped", twoHumped, 0.5},
}

// The claim: of rows at rest with 3 or 10 trials at most 1% are accused with noise of 5%, and 2% with noise of 30%, in which one
// trial shows nothing.
func TestTrialsAtRestAreAccusedTogetherAsSeldomAsStated(t *testing.T) {
	t.Parallel()
	const runs = 300
	for variation, most := range map[float64]float64{0.05: 0.01, 0.30: 0.02} {
		for _, kind := range togetherNoises {
			for _, trials := range []int{3, 10} {
				random := seeded()
				accused := partOf(runs, func() bool {
					return StationaryTogether(trialsOf(random, kind, trials, variation, flat)).Changes()
				})
				if accused > most+2*math.Sqrt(most*(1-most)/runs) {
					t.Errorf("%s, ρ %v, %d trials, noise of %v: %.1f%% are accused, stated are %.0f%%", kind.name, kind.rho, trials, variation,
						100*accused, 100*most)
				}
			}
		}
	}
}

// The claim: a step of 20% that all trials have, in noise of 8% with 3 trials and of 14% with 10, is found in 90% at least. In a
// single trial of the latter it is found in half at most where ρ is 0.5.
func TestAStepOfAllTrialsIsFoundInNoiseThatHidesItInOne(t *testing.T) {
	t.Parallel()
	const runs = 150
	for _, kind := range togetherNoises {
		for trials, variation := range map[int]float64{3: 0.08, 10: 0.14} {
			for _, at := range []int{10, 25, 40} {
				random, single := seeded(), 0
				step := func(_, i int) float64 { return steppedAt(at, -0.2)(i) }
				found := partOf(runs, func() bool {
					all := trialsOf(random, kind, trials, variation, step)
					single += int(indicator(Stationary(all[0]).Changes()))
					return StationaryTogether(all).Changes()
				})
				if found < 0.90 {
					t.Errorf("%s, ρ %v, %d trials, noise of %v: a step at %d is found in %.0f%%", kind.name, kind.rho, trials, variation, at,
						100*found)
				}
				if kind.rho > 0 && kind.name == "normal" && trials == 10 && single > runs/2 {
					t.Errorf("a step at %d is found in %d of %d single trials", at, single, runs)
				}
			}
		}
	}
}

// A row's figures are medians, which bear a change of one trial in three, and not of two.
func TestWhatMostTrialsHaveIsFound(t *testing.T) {
	t.Parallel()
	for in, want := range map[int][2]float64{1: {0, 0.02}, 2: {0.98, 1}} {
		random := seeded()
		found := partOf(200, func() bool {
			return StationaryTogether(trialsOf(random, noise{"", normal, 0.3}, 3, 0.05, func(trial, i int) float64 {
				return 1 - 0.3*indicator(trial < in && i >= 25)
			})).Changes()
		})
		if found < want[0] || found > want[1] {
			t.Errorf("a step in %d of 3 trials is found in %.1f%%", in, 100*found)
		}
	}
}

// The claim: as many trials as are proposed can be judged in 60% at least.
func TestAsManyTrialsAsAreProposedCanBeJudged(t *testing.T) {
	t.Parallel()
	for _, kind := range []noise{{"normal", normal, 0}, {"normal", normal, 0.5}, {"lognormal", lognormal, 0.3}} {
		random, proposed, enough := seeded(), 0, 0
		for range 100 {
			times, ok := StationaryTogether(trialsOf(random, kind, 3, 0.4, flat)).Longer()
			if n := int(math.Ceil(3 * times)); ok && n > 3 {
				proposed++
				enough += int(indicator(StationaryTogether(trialsOf(random, kind, n, 0.4, flat)).Kind != Unknown))
			}
		}
		if proposed < 90 || enough*10 < proposed*6 {
			t.Errorf("%s, ρ %v: of %d, %d can be judged", kind.name, kind.rho, proposed, enough)
		}
	}
}

func TestSeriesThatCantBeTakenTogetherAreUnknown(t *testing.T) {
	t.Parallel()
	good := noise{"", normal, 0}.of(seeded(), 50, 0.02)
	for what, all := range map[string][][]float64{
		"none": nil, "one too short": {good, good[:19]}, "one of zeros": {good, make([]float64, 50)},
	} {
		f := StationaryTogether(all)
		if _, ok := f.Longer(); ok || f.Kind != Unknown {
			t.Errorf("%s: %+v", what, f)
		}
	}
	// Series of other lengths are of the same phase, and a step is where it is in the first.
	stepped := func(n int) []float64 { return scaled(noise{"", normal, 0}.of(seeded(), n, 0.02), steppedAt(n/2, 0.5)) }
	if f := StationaryTogether([][]float64{stepped(60), stepped(50), stepped(200)}); f.Kind != Step || f.At < 28 || f.At > 32 {
		t.Errorf("%+v", f)
	}
}
