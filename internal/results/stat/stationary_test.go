package stat

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// scaled multiplies each value by a factor.
func scaled(series []float64, factor func(i int) float64) []float64 {
	for i := range series {
		series[i] *= factor(i)
	}
	return series
}

// steppedAt changes by a part from a place on.
func steppedAt(at int, change float64) func(i int) float64 {
	return func(i int) float64 { return 1 + change*indicator(i >= at) }
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// partOf runs a trial many times and returns how often it was so.
func partOf(runs int, so func() bool) float64 {
	n := 0
	for range runs {
		if so() {
			n++
		}
	}
	return float64(n) / float64(runs)
}

// Half a second in 50 points, 2 s in 40, and 10 s of 100 ms: a step of 20% in noise of 5% is found in 90%, wherever it is in the
// middle 80%.
func TestAStepIsFoundWithTheStatedPower(t *testing.T) {
	t.Parallel()
	for _, n := range []int{40, 49, 100} {
		for _, rho := range []float64{0, 0.3, 0.5} {
			for _, part := range []float64{0.1, 0.2, 1. / 3, 0.5, 0.67, 0.8, 0.9} {
				for _, change := range []float64{-0.2, 0.2} {
					random, at := seeded(), int(math.Round(part*float64(n)))
					found := partOf(200, func() bool {
						// The noise is 5% of the level on either side.
						return Stationary(scaled(noise{"", normal, rho}.of(random, n, 0.05), steppedAt(at, change))).Kind != NoChange
					})
					if found < 0.90 {
						t.Errorf("%d values, ρ %v: a step of %+.0f%% at %d is found in %.1f%%", n, rho, 100*change, at, 100*found)
					}
				}
			}
		}
	}
}

// What is found in normal noise is found in noise of other kinds, correlated by 0.5, and in a correlation of 0.8.
func TestAStepIsFoundInNoiseOfAllKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range []noise{
		{"lognormal", lognormal, 0.5}, {"heavy-tailed", heavyTailed, 0.5}, {"two-humped", twoHumped, 0.5}, {"normal", normal, 0.8},
	} {
		for _, n := range []int{40, 100} {
			for _, at := range []int{n / 10, n / 2, n * 9 / 10} {
				random := seeded()
				found := partOf(150, func() bool { return Stationary(scaled(kind.of(random, n, 0.05), steppedAt(at, -0.2))).Changes() })
				if found < 0.90 {
					t.Errorf("%s, %d values, ρ %v: a step at %d is found in %.1f%%", kind.name, n, kind.rho, at, 100*found)
				}
			}
		}
	}
}

// Series at rest, as measured (noise of 5%) and so noisy that the size of a change spares nobody (15%). ρ of 0.8 is beyond
// what is promised; what it costs is stated.
func TestSeriesAtRestAreAccusedAsSeldomAsStated(t *testing.T) {
	t.Parallel()
	const runs = 1000
	kinds := []noise{
		{"normal", normal, 0}, {"lognormal", lognormal, 0}, {"heavy-tailed", heavyTailed, 0}, {"two-humped", twoHumped, 0},
	}
	for _, c := range []struct {
		n         int
		rho       float64
		asIs, any float64 // the most that are accused with noise of 5%, and of 15%
	}{
		{20, 0, 0.01, 0.01}, {40, 0, 0.01, 0.01}, {49, 0, 0.01, 0.01}, {100, 0, 0.01, 0.01},
		{20, 0.5, 0.02, 0.03}, {40, 0.5, 0.02, 0.04}, {49, 0.5, 0.02, 0.04}, {100, 0.5, 0.01, 0.01},
		{20, 0.8, 0.10, 0.20}, {40, 0.8, 0.13, 0.30}, {49, 0.8, 0.13, 0.30}, {100, 0.8, 0.04, 0.13},
	} {
		for _, kind := range kinds {
			kind.rho = c.rho
			for variation, most := range map[float64]float64{0.05: c.asIs, 0.15: c.any} {
				if kind.name == "normal" && variation == 0.05 && c.rho <= 0.5 {
					most = 0.01
				}
				random := seeded()
				accused := partOf(runs, func() bool {
					kind := Stationary(kind.of(random, c.n, variation)).Kind
					return kind == Step || kind == Trend
				})
				if allowed := most + 2*math.Sqrt(most*(1-most)/runs); accused > allowed {
					t.Errorf("%s, %d values, ρ %v, noise of %v: %.1f%% are accused, stated are %.0f%%", kind.name, c.n, c.rho, variation,
						100*accused, 100*most)
				}
			}
		}
	}
}

func TestAStepIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	random := seeded()
	for _, c := range []struct {
		n, at, off int
		rho        float64
		to         float64
	}{
		{30, 15, 1, 0, 0.7}, {100, 30, 4, 0, 1.2}, {100, 50, 3, 0.5, 0.7}, {300, 200, 15, 0.5, 0.8}, {3000, 1000, 40, 0.5, 1.5},
	} {
		for range 5 {
			f := Stationary(scaled(noise{"", normal, c.rho}.of(random, c.n, 0.05), steppedAt(c.at, c.to-1)))
			if f.Kind != Step || f.At < c.at-c.off || f.At > c.at+c.off || f.Clarity <= 1 {
				t.Errorf("step of %d at %d: %+v", c.n, c.at, f)
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
	}{{40, 0, 0.4}, {100, 0, -0.4}, {100, 0.3, 0.5}, {1000, 0.5, 0.4}} {
		trends := 0
		for range 20 {
			series := scaled(noise{"", normal, c.rho}.of(random, c.n, 0.05), func(i int) float64 {
				return 1 + c.rise*float64(i)/float64(c.n)
			})
			f := Stationary(series)
			if f.Kind != Trend && f.Kind != Step {
				t.Errorf("a trend of %v over %d: %+v", c.rise, c.n, f)
			}
			if f.Kind == Trend && f.At == 0 && math.Abs(f.Change-c.rise/(1+c.rise/2)) < 0.15 {
				trends++
			}
		}
		if trends < 15 {
			t.Errorf("a trend of %v over %d is called one, with its size, in %d of 20", c.rise, c.n, trends)
		}
	}
}

func TestASmallChangeIsSeenAndNotAccused(t *testing.T) {
	t.Parallel()
	f := Stationary(scaled(noise{"", normal, 0}.of(seeded(), 100, 0.01), steppedAt(50, -0.05)))
	if f.Kind != NoChange || f.Clarity <= 1 || math.Abs(f.Change+0.05) > 0.01 {
		t.Errorf("a step of 5%%: %+v", f)
	}
}

func TestAFewValuesOutOfLineNeitherMakeAChangeNorHideOne(t *testing.T) {
	t.Parallel()
	for _, change := range []float64{0, 0.3} {
		series := scaled(noise{"", normal, 0}.of(seeded(), 100, 0.03), steppedAt(50, change))
		series[97], series[98] = 0, 0
		series[10], series[11] = 1e6, 1e7
		f := Stationary(series)
		if change == 0 && f.Kind != NoChange || change > 0 && (f.Kind != Step || f.At != 50) {
			t.Errorf("a step of %v: %+v", change, f)
		}
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
	if f = Stationary(line); f.Kind != Trend || math.Abs(f.Change-39/119.5) > 0.02 {
		t.Errorf("trend: %+v", f)
	}
	if f = Stationary(flat); f.Kind != NoChange || f.Clarity > 1e-3 || math.Abs(f.Change) > 1e-9 {
		t.Errorf("flat: %+v", f)
	}
}

// A noisy series in which nothing was found says nothing; one in which a change was found all the same says that.
func TestWhatCantBeToldIsUnknown(t *testing.T) {
	t.Parallel()
	for _, series := range [][]float64{nil, {1, 2}, noise{"", normal, 0}.of(seeded(), 19, 0.1), make([]float64, 50)} {
		if f := Stationary(series); f.Kind != Unknown || !math.IsInf(f.Tells, 1) {
			t.Errorf("%d values: %+v", len(series), f)
		}
	}
	if f := Stationary(noise{"", normal, 0}.of(seeded(), 40, 0.3)); f.Kind != Unknown || f.Tells < 0.3 || f.Tells > 0.9 {
		t.Errorf("noise of 30%%: %+v", f)
	}
	if f := Stationary(scaled(noise{"", normal, 0}.of(seeded(), 40, 0.3), steppedAt(20, 4))); f.Kind != Step {
		t.Errorf("noise of 30%% and a step to five times as much: %+v", f)
	}
}

// Tells is a promise: a step of its size in the middle is found about as often as not, one of half as much again nearly always.
func TestTheLeastStepThatIsToldIs(t *testing.T) {
	t.Parallel()
	for _, n := range []int{30, 100} {
		z := noise{"", normal, 0.3}
		tells := Stationary(z.of(seeded(), n, 0.08)).Tells
		for factor, want := range map[float64][2]float64{0.4: {0, 0.25}, 1.7: {0.9, 1}} {
			random := seeded()
			found := partOf(200, func() bool {
				return Stationary(scaled(z.of(random, n, 0.08), func(i int) float64 {
					return 1 + factor*tells*(indicator(i >= n/2)-0.5) // the median stays
				})).Kind == Step
			})
			if found < want[0] || found > want[1] {
				t.Errorf("%d values: a step of %v times %.3f is found in %.0f%%", n, factor, tells, 100*found)
			}
		}
	}
}

// The sums make of a step what the definition does: each value less ρ times the one before, fitted by least squares.
func TestAStepByItsSumsIsTheRegression(t *testing.T) {
	t.Parallel()
	y := noise{"", heavyTailed, 0.4}.of(seeded(), 15, 0.1)
	sums := lagSumsOf(y)
	for at := 1; at < len(y); at++ {
		for _, rho := range []float64{0, 0.5, 0.9} {
			var level, step, values []float64
			for i := range y {
				x, weight := indicator(i >= at), math.Sqrt(1-rho*rho)
				if i == 0 {
					level, step, values = append(level, weight), append(step, weight*x), append(values, weight*y[0])
					continue
				}
				level, step, values = append(level, 1-rho), append(step, x-rho*indicator(i-1 >= at)), append(values, y[i]-rho*y[i-1])
			}
			want := plainRegression(level, step, values)
			got := sums.step(at, rho)
			near(t, "the step", got.slope, want.slope, 1e-6)
			near(t, "its error", got.error, want.error, 1e-6)
		}
	}
}

func TestASlopeIsTheRegression(t *testing.T) {
	t.Parallel()
	y := noise{"", normal, 0.4}.of(seeded(), 15, 0.1)
	level, line := make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		level[i], line[i] = 1, float64(i)
	}
	want, got := plainRegression(level, line, y), slopeOf(y, 0)
	near(t, "the slope", got.slope, want.slope, 1e-9)
	near(t, "its error", got.error, want.error, 1e-9)
	near(t, "a line's, whatever ρ is", slopeOf([]float64{1, 3, 5, 7, 9, 11}, 0.5).slope, 2, 1e-9)
}

// plainRegression solves y = a·u + b·v by its normal equations. A degree of freedom is ρ's.
func plainRegression(u, v, y []float64) regression {
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	determinant := dot(u, u)*dot(v, v) - square(dot(u, v))
	a := (dot(v, v)*dot(u, y) - dot(u, v)*dot(v, y)) / determinant
	b := (dot(u, u)*dot(v, y) - dot(u, v)*dot(u, y)) / determinant
	rest := 0.0
	for i := range y {
		rest += square(y[i] - a*u[i] - b*v[i])
	}
	return regression{b, math.Sqrt(rest / float64(len(y)-3) * dot(u, u) / determinant)}
}

func TestWhatAStepLeavesIsCorrelatedAsItIs(t *testing.T) {
	t.Parallel()
	y := scaled(noise{"", normal, 0.6}.of(seeded(), 4000, 0.05), steppedAt(1000, 0.5))
	near(t, "ρ", lagSumsOf(y).remaining(1000), 0.6, 0.06)
	y = []float64{1, 2, 1, 3, 9, 8, 9, 7}
	rest, squares, products := []float64{-.75, .25, -.75, 1.25, .75, -.25, .75, -1.25}, 0.0, 0.0
	for i, r := range rest {
		squares += r * r
		if i > 0 {
			products += r * rest[i-1]
		}
	}
	if rho := products / squares; rho >= -2./14 {
		t.Fatal("no longer an example of neighbours that avoid each other")
	}
	if got := lagSumsOf(y).remaining(4); got != 0 {
		t.Errorf("neighbours that avoid each other: %v", got)
	}
}

func TestBoundsAreInterpolated(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bounds{20: {4.25, 6.5}, 25: {4.25, 6.05}, 90: {5.45, 4.95}, 100: {5.7, 4.9}} {
		if got := clearBounds(n); fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", want) {
			t.Errorf("of %d: %v, want %v", n, got, want)
		}
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
