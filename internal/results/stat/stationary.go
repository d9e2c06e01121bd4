package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// What Stationary asks for before it says that a series is not.
const (
	// StationaryIntervals is the least series that is judged: in fewer values, correlation of neighbours can't be told
	// from change.
	StationaryIntervals = 20
	// stationaryBlocks is how many values are looked at; a longer series is averaged in blocks.
	stationaryBlocks = 100
	// stationaryLevel is what P must be less than: of 100 trials at rest, one may be accused.
	stationaryLevel = 0.01
	// NotableChange is how large a change must be, as a part of the median: smaller ones are found, if the series is long,
	// and hurt nobody.
	NotableChange = 0.10
)

// A Kind is what keeps a series from being stationary.
type Kind string

// The kinds.
const (
	// NoChange was found that is both significant and large.
	NoChange Kind = ""
	// Step is a change from one level to another, where Finding.At says.
	Step Kind = "step"
	// Trend is a change in one direction throughout.
	Trend Kind = "trend"
	// Unknown says that there are too few intervals to tell, or a median that is not above 0.
	Unknown Kind = "unknown"
)

// A Finding is how a series changes.
type Finding struct {
	Kind Kind
	// At is the index of the first value after a step, as near as noise and hundredths of the series allow; 0 of all other
	// kinds.
	At int
	// Change is the median after a step less that before, or what the trend adds from the first value to the last, as a
	// part of the series' median. With NoChange it is that of the more significant candidate.
	Change float64
	// P is how probable so clear a change is in a series without any.
	P float64
}

// Stationary looks for one step or trend in a series, such as the calls per second of each interval of a trial's measured
// window. It finds one where P is under 1% and the change at least NotableChange of the median.
//
// Steps are looked for by Pettitt's test, trends by Mann and Kendall's; both use ranks only, so that a few values far out of
// line don't matter, and both have their variance multiplied by what the correlation of neighbours makes of it (see
// inflation). P is twice the smaller of the two, as there were two tries. Where both find a change, it is the one that
// leaves less of the series unexplained.
//
// It is no test for all that can change: a level that comes back (a stall, a noisy minute), a spread that grows and a
// period are not what it looks for.
func Stationary(series []float64) Finding {
	values := blocks(series, stationaryBlocks)
	if len(values) < StationaryIntervals {
		return Finding{Kind: Unknown, P: 1}
	}
	level := middle(values)
	if level <= 0 {
		return Finding{Kind: Unknown, P: 1}
	}
	step, trend := findStep(values), findTrend(values)
	step.Change /= level
	trend.Change /= level
	step.At = step.At * len(series) / len(values)
	found := slices.DeleteFunc([]candidate{step, trend}, func(c candidate) bool {
		return c.P >= stationaryLevel || math.Abs(c.Change) < NotableChange
	})
	switch {
	case len(found) == 0 && trend.P < step.P:
		return Finding{Change: trend.Change, P: trend.P}
	case len(found) == 0:
		return Finding{Change: step.Change, P: step.P}
	case len(found) == 2 && trend.rest < step.rest:
		return trend.Finding
	default:
		return found[0].Finding
	}
}

// A candidate is a change that may be none. Its Change is not yet divided by the median.
type candidate struct {
	Finding
	rest float64 // the sum of absolute distances from it
}

// findStep is Pettitt's test: U(t) = 2·(ranks of the first t) − t·(n+1), K the largest |U|, and
// p ≈ 2·exp(−6K²/(n³+n²)). (A. N. Pettitt, A non-parametric approach to the change-point problem, Applied Statistics 28,
// 1979.) An inflated variance divides K².
func findStep(values []float64) candidate {
	numbers, _ := ranks(values)
	n := float64(len(values))
	at, largest, u := 1, 0.0, 0.0
	for t := 1; t < len(values); t++ {
		u += 2*numbers[t-1] - (n + 1)
		if math.Abs(u) > largest {
			at, largest = t, math.Abs(u)
		}
	}
	before, after := middle(values[:at]), middle(values[at:])
	rest := without(values, func(i int) float64 {
		if i < at {
			return before
		}
		return after
	})
	p := 2 * math.Exp(-6*largest*largest/(n*n*n+n*n)/inflation(rest))
	return candidate{Finding{Step, at, after - before, min(1, 2*p)}, sumOfDistances(rest)}
}

// findTrend is the test of Mann and Kendall: S, the pairs that rise less those that fall, is normal. (H. B. Mann,
// Nonparametric tests against trend, Econometrica 13, 1945; M. G. Kendall, Rank Correlation Methods, 4th edition, chapters 3
// and 4.)
func findTrend(values []float64) candidate {
	slope := senSlope(values)
	rest := without(values, func(i int) float64 { return slope * float64(i) })
	center := middle(rest)
	p := 1.0
	if s := rising(values); s != 0 {
		z := (math.Abs(s) - 1) / math.Sqrt(risingVariance(values)*inflation(rest))
		p = 2 * distuv.UnitNormal.Survival(z)
	}
	total := slope * float64(len(values)-1)
	distance := sumOfDistances(without(rest, func(int) float64 { return center }))
	return candidate{Finding{Trend, 0, total, min(1, 2*p)}, distance}
}

// rising is the number of pairs that rise less the number of those that fall.
func rising(values []float64) float64 {
	s := 0.0
	for i, x := range values {
		for _, y := range values[i+1:] {
			switch {
			case y > x:
				s++
			case y < x:
				s--
			}
		}
	}
	return s
}

// risingVariance is the variance of rising over all orders of the values: (n(n−1)(2n+5) − Σ t(t−1)(2t+5))/18, where t
// values tie. (Kendall, chapter 4.)
func risingVariance(values []float64) float64 {
	term := func(n int) float64 { return float64(n) * float64(n-1) * float64(2*n+5) / 18 }
	_, ties := ranks(values)
	variance := term(len(values))
	for _, t := range ties {
		variance -= term(t)
	}
	return variance
}

// without subtracts a curve.
func without(values []float64, curve func(i int) float64) []float64 {
	rest := make([]float64, len(values))
	for i, v := range values {
		rest[i] = v - curve(i)
	}
	return rest
}

func sumOfDistances(rest []float64) float64 {
	sum := 0.0
	for _, r := range rest {
		sum += math.Abs(r)
	}
	return sum
}
