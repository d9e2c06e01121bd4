package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// correlated is noise around 1,000 whose neighbours are correlated: an autoregressive series of order 1.
func correlated(random *rand.Rand, n int, rho, deviation float64) []float64 {
	series, x := make([]float64, n), random.NormFloat64()
	for i := range series {
		series[i] = 1000 * (1 + deviation*x)
		x = rho*x + math.Sqrt(1-rho*rho)*random.NormFloat64()
	}
	return series
}

// scaled multiplies each value by a factor.
func scaled(series []float64, factor func(i int) float64) []float64 {
	for i := range series {
		series[i] *= factor(i)
	}
	return series
}

func TestAStepIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	random := seeded()
	for _, c := range []struct {
		n, at, off int
		rho        float64
		to         float64
	}{
		{30, 15, 1, 0, 0.7}, {100, 30, 4, 0, 1.2}, {100, 50, 2, 0.5, 0.7}, {300, 200, 15, 0.5, 0.8}, {3000, 1000, 40, 0.5, 1.5},
	} {
		for range 5 {
			series := scaled(correlated(random, c.n, c.rho, 0.05), func(i int) float64 {
				if i < c.at {
					return 1
				}
				return c.to
			})
			f := Stationary(series)
			if f.Kind != Step || f.At < c.at-c.off || f.At > c.at+c.off || f.P >= 0.01 {
				t.Errorf("step of %d at %d: %+v", c.n, c.at, f)
			}
			if got := f.Change * middle(series) / 1000; math.Abs(got-(c.to-1)) > 0.06 {
				t.Errorf("step to %v: %v", c.to, f.Change)
			}
		}
	}
}

func TestATrendIsFoundWithItsSize(t *testing.T) {
	t.Parallel()
	random := seeded()
	for _, c := range []struct {
		n         int
		rho, rise float64
	}{{30, 0, 0.3}, {100, 0, -0.3}, {100, 0.3, 0.4}, {1000, 0.5, 0.3}} {
		for range 5 {
			series := scaled(correlated(random, c.n, c.rho, 0.05), func(i int) float64 {
				return 1 + c.rise*float64(i)/float64(c.n)
			})
			f := Stationary(series)
			if f.Kind != Trend || f.At != 0 || f.P >= 0.01 || math.Abs(f.Change-c.rise/(1+c.rise/2)) > 0.1 {
				t.Errorf("a trend of %v over %d: %+v", c.rise, c.n, f)
			}
		}
	}
}

// TestNoiseIsSeldomAccused counts over noise so large that the size of a change spares nobody: 1% is nominal. The bound is
// 2.4%, and 4% where each two neighbours share 0.7, which 30 values don't show well.
func TestNoiseIsSeldomAccused(t *testing.T) {
	t.Parallel()
	const runs = 250
	random := seeded()
	pareto := func(n int) []float64 {
		series := make([]float64, n)
		for i := range series {
			series[i] = 1000 * math.Pow(1-random.Float64(), -1/1.1) // no variance, and hardly a mean
		}
		return series
	}
	counts := func(n int) []float64 {
		series := make([]float64, n)
		for i := range series {
			series[i] = float64(random.IntN(4)) // full of ties
		}
		return series
	}
	for _, c := range []struct {
		what  string
		n     int
		noise func(n int) []float64
		most  int
	}{
		{"independent", 20, func(n int) []float64 { return correlated(random, n, 0, 0.3) }, 6},
		{"independent", 100, func(n int) []float64 { return correlated(random, n, 0, 0.3) }, 6},
		{"correlated", 20, func(n int) []float64 { return correlated(random, n, 0.5, 0.3) }, 6},
		{"correlated", 100, func(n int) []float64 { return correlated(random, n, 0.5, 0.3) }, 6},
		{"correlated", 300, func(n int) []float64 { return correlated(random, n, 0.5, 0.3) }, 6},
		{"much correlated", 30, func(n int) []float64 { return correlated(random, n, 0.7, 0.3) }, 10},
		{"with a heavy tail", 100, pareto, 6},
		{"small counts", 100, counts, 6},
	} {
		accused := 0
		for range runs {
			if f := Stationary(c.noise(c.n)); f.Kind != NoChange {
				accused++
			}
		}
		if accused > c.most {
			t.Errorf("%s, %d values: %d of %d accused", c.what, c.n, accused, runs)
		}
	}
}

func TestASmallChangeIsSeenAndNotAccused(t *testing.T) {
	t.Parallel()
	f := Stationary(scaled(correlated(seeded(), 100, 0, 0.01), func(i int) float64 { return 1 - 0.05*float64(i/50) }))
	if f.Kind != NoChange || f.P >= 0.01 || math.Abs(f.Change+0.05) > 0.01 {
		t.Errorf("a step of 5%%: %+v", f)
	}
}

func TestAFewValuesOutOfLineAreNoChange(t *testing.T) {
	t.Parallel()
	series := correlated(seeded(), 100, 0, 0.03)
	for i := 97; i < 100; i++ {
		series[i] = 0
	}
	series[10], series[11] = 1e6, 1e7
	if f := Stationary(series); f.Kind != NoChange {
		t.Errorf("got %+v", f)
	}
}

func TestWithoutNoiseChangesAreExact(t *testing.T) {
	t.Parallel()
	step, line, flat := make([]float64, 40), make([]float64, 40), make([]float64, 40)
	for i := range step {
		step[i], line[i], flat[i] = 100+100*float64(i/20), 100+float64(i), 7
	}
	f := Stationary(step)
	if f.Kind != Step || f.At != 20 || math.Abs(f.Change-100./150) > 1e-9 {
		t.Errorf("step: %+v", f)
	}
	if f = Stationary(line); f.Kind != Trend || math.Abs(f.Change-39/119.5) > 1e-9 {
		t.Errorf("trend: %+v", f)
	}
	if f = Stationary(flat); f.Kind != NoChange || f.P != 1 || f.Change != 0 {
		t.Errorf("flat: %+v", f)
	}
}

func TestTooLittleIsUnknown(t *testing.T) {
	t.Parallel()
	for _, series := range [][]float64{nil, {1, 2}, correlated(seeded(), 19, 0, 0.1), make([]float64, 50)} {
		if f := Stationary(series); f.Kind != Unknown || f.P != 1 {
			t.Errorf("%d values: %+v", len(series), f)
		}
	}
}

func TestTheVarianceOfATrendKnowsTies(t *testing.T) {
	t.Parallel()
	random, values := seeded(), []float64{1, 1, 1, 1, 1, 2, 2, 2, 3, 4}
	var squares float64
	for range 20_000 {
		random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		squares += square(rising(values))
	}
	near(t, "the variance", risingVariance(values), squares/20_000, 0.03)
	near(t, "the variance", risingVariance(values), (10*9*25-5*4*15-3*2*11)/18., 1e-9)
}

func TestRanksShareWhatTies(t *testing.T) {
	t.Parallel()
	got, ties := ranks([]float64{5, 1, 5, 3, 5, 1})
	if want := []float64{5, 1.5, 5, 3, 5, 1.5}; !slices.Equal(got, want) || !slices.Equal(ties, []int{2, 3}) {
		t.Errorf("ranks %v, ties %v", got, ties)
	}
}

func TestBlocksKeepTheMean(t *testing.T) {
	t.Parallel()
	if got := blocks([]float64{1, 2, 3, 4, 5}, 2); !slices.Equal(got, []float64{1.5, 4}) {
		t.Errorf("got %v", got)
	}
	if got := blocks([]float64{1, 2}, 5); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("got %v", got)
	}
}
