package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// crossover are blocks AB BA or BA AB, drawn by a fair coin: the mean logarithm of B/A of each.
func crossover(c course, blocks int, shift float64, random *rand.Rand) []float64 {
	next := c(random)
	var logs []float64
	for range blocks {
		w, x, y, z := next(), next(), next(), next()
		log := (x - w + y - z) / 2
		if random.IntN(2) == 1 {
			log = -log
		}
		logs = append(logs, log+math.Log1p(shift))
	}
	return logs
}

// endsWith follows an experiment that is looked at as often as may be, until something is decided, or the blocks end.
func endsWith(logs []float64, same float64) Look {
	for n := range logs {
		if IsLook(n + 1) {
			if l := LookAt(logs[:n+1], same); l.Decision != Untold {
				return l
			}
		}
	}
	return LookAt(logs, same)
}

// TestLooksAreSeldomFooledInAnyNoise: of 600 A/A experiments in each noise (standard error at most 0.9%), each with 8 looks
// at up to 60 blocks, at most 5% are ever called different.
func TestLooksAreSeldomFooledInAnyNoise(t *testing.T) {
	t.Parallel()
	const runs = 600
	for name, c := range courses {
		random := rand.New(rand.NewPCG(19, 8))
		fooled := 0
		for range runs {
			if endsWith(crossover(c, 60, 0, random), 0).Decision.Differs() {
				fooled++
			}
		}
		if part, deviation := share(fooled, runs); part > 0.05 {
			t.Errorf("%s: %.3f ± %.3f are fooled", name, part, deviation)
		}
	}
}

// TestAShiftIsToldSoon: of 400 experiments with a coefficient of variation of 3% (standard error at most 1.1%), a shift of
// 5% is told in 95% within 30 pairs, which are 15 blocks, and one of 3% within 80. Where tails are so heavy that no coefficient
// of variation is finite, it is told in 45%.
func TestAShiftIsToldSoon(t *testing.T) {
	t.Parallel()
	const runs = 400
	for shift, blocks := range map[float64]int{0.05: 15, 0.03: 40, -0.05: 15, -0.03: 40} {
		for name, course := range courses {
			least := 0.95
			if name == "heavy-tailed" {
				least = 0.45
			}
			random := rand.New(rand.NewPCG(19, 9))
			want, told := Greater, 0
			if shift < 0 {
				want = Less
			}
			for range runs {
				if endsWith(crossover(course, blocks, shift, random), 0).Decision == want {
					told++
				}
			}
			if part, deviation := share(told, runs); part < least {
				t.Errorf("%s, %+.2f: %.3f ± %.3f are told in %d blocks", name, shift, part, deviation, blocks)
			}
		}
	}
}

// TestTheIntervalHoldsWhereAnExperimentEnds: in at least 95% of 600 that end as soon as anything is decided.
func TestTheIntervalHoldsWhereAnExperimentEnds(t *testing.T) {
	t.Parallel()
	const runs = 600
	for _, shift := range []float64{0, 0.02, 0.05} {
		random := rand.New(rand.NewPCG(19, 10))
		missed, same := 0, 0
		for range runs {
			l := endsWith(crossover(courses["independent"], 60, shift, random), 0.05)
			if l.Ratio.Lo > 1+shift || l.Ratio.Hi < 1+shift {
				missed++
			}
			if l.Decision == Same {
				same++
			}
		}
		if part, deviation := share(missed, runs); part > 0.05 {
			t.Errorf("%+.2f: %.3f ± %.3f miss", shift, part, deviation)
		}
		if shift == 0 && same < runs*95/100 || shift == 0.05 && same > runs*5/100 {
			t.Errorf("%+.2f: %d of %d are the same within 5%%", shift, same, runs)
		}
	}
}

func TestLooksAreApartAndSpendNoMoreThanTheLevel(t *testing.T) {
	t.Parallel()
	spent, last := 0.0, 0
	for n := 1; n <= 200; n++ {
		if !IsLook(n) {
			continue
		}
		if last > 0 && float64(n) < 1.3*float64(last) {
			t.Errorf("looks at %d and %d", last, n)
		}
		last = n
		spent += LookAt(make([]float64, n), 0).Level
	}
	if spent > Level || spent < 0.8*Level {
		t.Errorf("looks up to %d spend %v", last, spent)
	}
	if l := LookAt([]float64{0.1, 0.1}, 0.05); l.Known || l.Decision != Untold || l.Needed != 7 {
		t.Errorf("two blocks: %+v", l)
	}
}
