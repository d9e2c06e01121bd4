package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// steadyAfter feeds a series value by value, as a warm-up does, and returns how many it took, 300 meaning never.
func steadyAfter(value func(i int) float64) int {
	var series []float64
	for len(series) < 300 && !Steady(series) {
		series = append(series, value(len(series)))
	}
	return len(series)
}

// with adds relative noise.
func with(random *rand.Rand, deviation float64, value func(i int) float64) func(i int) float64 {
	return func(i int) float64 { return value(i) * (1 + deviation*random.NormFloat64()) }
}

func level(int) float64 { return 1000 }

// ramp nears 1,000 from 300 with a time constant in intervals, as a compiler at work does.
func ramp(constant float64) func(i int) float64 {
	return func(i int) float64 { return 1000 * (1 - 0.7*math.Exp(-float64(i)/constant)) }
}

func between(t *testing.T, what string, got, least, most int) {
	t.Helper()
	if got < least || got > most {
		t.Errorf("%s: %d, want %d to %d", what, got, least, most)
	}
}

func TestALevelIsSteadyAsSoonAsItCanBe(t *testing.T) {
	t.Parallel()
	random := seeded()
	between(t, "no noise", steadyAfter(level), SteadyIntervals, SteadyIntervals)
	for range 10 {
		between(t, "noise of 3%", steadyAfter(with(random, 0.03, level)), SteadyIntervals, 30)
		between(t, "noise of 10%", steadyAfter(with(random, 0.10, level)), SteadyIntervals, 100)
	}
}

func TestNoiseThatHidesEverythingIsNotSteadySoon(t *testing.T) {
	t.Parallel()
	random := seeded()
	for range 5 {
		between(t, "noise of 30%", steadyAfter(with(random, 0.30, level)), 80, 300)
	}
}

func TestARampIsSteadyWhenNextToNothingIsLeftOfIt(t *testing.T) {
	t.Parallel()
	random := seeded()
	for _, c := range []struct {
		constant, left float64
		least, most    int
	}{{3, 0.001, 20, 40}, {10, 0.03, 30, 80}, {30, 0.03, 90, 220}} {
		for range 10 {
			after := steadyAfter(with(random, 0.03, ramp(c.constant)))
			between(t, "a ramp", after, c.least, c.most)
			if left := 1 - ramp(c.constant)(after)/1000; left > c.left {
				t.Errorf("constant %v: after %d intervals %v is left", c.constant, after, left)
			}
		}
	}
	between(t, "a ramp of 100 intervals", steadyAfter(with(random, 0.03, ramp(100))), 290, 300)
}

func TestAStepIsNotSteadyUntilItIsPast(t *testing.T) {
	t.Parallel()
	for at := range 100 {
		step := func(i int) float64 {
			if i < 100-at {
				return 1000
			}
			return 1200
		}
		var series []float64
		for i := range 100 {
			series = append(series, step(i))
		}
		// A quarter of the last 50 has the new median once half of it is past the step, which is 6 or 7 intervals.
		if got := Steady(series); at < 6 && !got || at > 7 && at < 43 && got || at > 44 && !got {
			t.Errorf("%d intervals after the step: %v", at, got)
		}
	}
}

func TestASawtoothIsSteadyOverManyTeethOnly(t *testing.T) {
	t.Parallel()
	tooth := func(period int) func(i int) float64 {
		return func(i int) float64 { return 1000 * (1 - 0.3*float64(i%period)/float64(period-1)) }
	}
	between(t, "teeth of 5", steadyAfter(tooth(5)), 40, 100)
	between(t, "teeth of 20", steadyAfter(tooth(20)), 80, 160)
	between(t, "a tooth of 100", steadyAfter(tooth(100)), 300, 300)
}

func TestWhatShowsNothingIsNotSteady(t *testing.T) {
	t.Parallel()
	short := make([]float64, SteadyIntervals-1)
	for i := range short {
		short[i] = 1000
	}
	for _, series := range [][]float64{nil, {1}, short, make([]float64, 100), append(make([]float64, 60), short...)} {
		if Steady(series) {
			t.Errorf("%v is steady", series)
		}
	}
}

func TestAPauseDoesNotHoldUpAWarmup(t *testing.T) {
	t.Parallel()
	between(t, "a pause", steadyAfter(with(seeded(), 0.03, func(i int) float64 {
		if i == 18 {
			return 0
		}
		return 1000
	})), SteadyIntervals, 30)
}
