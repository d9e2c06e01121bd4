package stat

import (
	"math/rand/v2"
	"testing"
)

// trials are n values around a center with a coefficient of variation.
func trials(random *rand.Rand, n int, center, variation float64) []float64 {
	sample := make([]float64, n)
	for i := range sample {
		sample[i] = center * (1 + variation*random.NormFloat64())
	}
	return sample
}

// decisions compares pairs of samples of 10 trials, B's center being A's times shift, each pair a family of its own. It
// counts the decisions and how many intervals don't hold the shift.
func decisions(pairs int, shift float64) (counts map[Decision]int, missed int) {
	random := seeded()
	counts = map[Decision]int{}
	for range pairs {
		family := []Change{Compare(trials(random, 10, 100, 0.03), trials(random, 10, 100*shift, 0.03))}
		Decide(family, Level, 0)
		counts[family[0].Decision]++
		if ratio := family[0].Ratio; shift < ratio.Lo || shift > ratio.Hi {
			missed++
		}
	}
	return counts, missed
}

// TestAFewOfManyAARunsAreCalledDifferent: the bar is 16 of 200 at a nominal 5%; the exact level at 10 and 10 is 4.3%.
func TestAFewOfManyAARunsAreCalledDifferent(t *testing.T) {
	t.Parallel()
	counts, missed := decisions(200, 1)
	if differ := counts[Greater] + counts[Less]; differ != 5 || counts[Untold] != 195 {
		t.Errorf("decisions %v", counts)
	}
	if missed > 16 || missed < 1 {
		t.Errorf("%d of 200 intervals miss the truth", missed)
	}
}

// TestAShiftOf5PercentIsFound: the bar is 85% of 500, which is 425.
func TestAShiftOf5PercentIsFound(t *testing.T) {
	t.Parallel()
	counts, missed := decisions(500, 1.05)
	if counts[Greater] != 460 || counts[Untold] != 40 {
		t.Errorf("decisions %v", counts)
	}
	if missed > 35 || missed < 5 {
		t.Errorf("%d of 500 intervals miss the truth", missed)
	}
}

func TestAChangeSaysHowLarge(t *testing.T) {
	t.Parallel()
	a := []float64{10, 11, 12, 13, 14, 15, 16}
	b := []float64{26, 22, 24, 28, 30, 20, 32}
	c := Compare(a, b)
	if c.A.Median != 13 || c.B.Median != 26 || !c.HasRatio || c.Ratio.Value != 2 || c.Ratio.Spread != SpreadCI95 {
		t.Errorf("got %+v", c)
	}
	if c.Ratio.Lo < 20./16 || c.Ratio.Lo > 1.8 || c.Ratio.Hi < 2.2 || c.Ratio.Hi > 3.2 {
		t.Errorf("interval %+v", c.Ratio)
	}
	near(t, "p", c.P, LeastP(7, 7), 1e-9)
	if again := Compare(a, b); again.Ratio != c.Ratio || again.P != c.P {
		t.Errorf("the same trials give %+v and %+v", c, again)
	}
}

func TestBelowSixTrialsTheRatioHasARangeAndNoInterval(t *testing.T) {
	t.Parallel()
	c := Compare([]float64{10, 20}, []float64{30, 40, 50, 60, 70, 80})
	if c.Ratio.Spread != SpreadMinMax || c.A.Spread != SpreadMinMax || c.B.Spread != SpreadCI95 {
		t.Errorf("got %+v", c)
	}
	near(t, "lo", c.Ratio.Lo, 1.5, 1e-9)
	near(t, "hi", c.Ratio.Hi, 8, 1e-9)
}

func TestNoRatioIsTakenToZero(t *testing.T) {
	t.Parallel()
	c := Compare([]float64{0, 0, 0, 1}, []float64{5, 6, 7, 8})
	if c.HasRatio || c.Ratio != (Ratio{}) || c.P > 0.04 {
		t.Errorf("got %+v", c)
	}
}

// separated is a change between n trials and n that don't overlap.
func separated(n int) Change {
	var a, b []float64
	for i := range n {
		a, b = append(a, 100+float64(i)), append(b, 200+float64(i))
	}
	return Compare(a, b)
}

// alike is a change that is none.
func alike(n int) Change {
	c := separated(n)
	c.P = 0.9
	return c
}

func TestARowThatCannotReachItsLevelNeedsTrials(t *testing.T) {
	t.Parallel()
	family := []Change{separated(4)}
	for range 19 {
		family = append(family, alike(4))
	}
	Decide(family, Level, 0)
	for i, c := range family {
		if c.Decision != Untold || !c.TooFew || c.Trials < 6 { // 2/C(12,6) = 0.0022 is the first under 0.05/20
			t.Errorf("row %d: %+v", i, c)
		}
	}
	family[0] = separated(6)
	Decide(family, Level, 0)
	if family[0].Decision != Greater || family[0].TooFew || family[0].Q > Level {
		t.Errorf("with as many as it needed: %+v", family[0])
	}
	if family[1].Decision != Untold || !family[1].TooFew || family[1].Trials < 6 { // 0.05·2/20, as another row is called
		t.Errorf("beside a row that differs: %+v", family[1])
	}
}

func TestRowsThatAllDifferCarryEachOther(t *testing.T) {
	t.Parallel()
	var family []Change
	for range 20 {
		family = append(family, separated(4))
	}
	Decide(family, Level, 0)
	for _, c := range family {
		if c.Decision != Greater {
			t.Errorf("got %+v", c)
		}
		near(t, "q", c.Q, 2./70, 1e-9)
	}
}

func TestEnoughTrialsWithoutADifferenceAreUntold(t *testing.T) {
	t.Parallel()
	family := []Change{alike(10), separated(3)}
	Decide(family, Level, 0)
	if family[0].Decision != Untold || family[0].TooFew || !family[1].TooFew || family[1].Trials != 5 {
		t.Errorf("got %+v", family)
	}
	Decide(nil, Level, 0)
}
