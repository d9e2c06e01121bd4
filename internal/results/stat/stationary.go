package stat

import (
	"math"
	"slices"
)

// The thresholds of Stationary.
const (
	// StationaryIntervals is the least series that is judged.
	StationaryIntervals = 20
	// stationaryBlocks is the number of values examined; a longer series is averaged in blocks.
	stationaryBlocks = 100
	// stationaryTells is the change that must be visible in the middle of the series for its silence to mean something. In a
	// noisier series no change is found, and none is denied. One of that size which goes unnoticed moves a figure by at most half
	// as much, which is half of the spread at which a row is called UNSTABLE.
	stationaryTells = UnstableSpread
	// NotableChange is the minimum size of a change, as a fraction of the median: after a smaller one a rate or a p50 is at most
	// 5% from that of the longer part of the series, and comparisons call 5% the same by default.
	NotableChange = 0.10
)

// A Kind is the reason why a series is not stationary.
type Kind string

// The kinds.
const (
	// NoChange was found that is both significant and large.
	NoChange Kind = ""
	// Step is a change from one level to another, where Finding.At says.
	Step Kind = "step"
	// Trend is a change in one direction throughout.
	Trend Kind = "trend"
	// Unknown says that nothing was found, and that nothing could be expected to be: there are too few values, they vary too
	// much, or their median is not above 0.
	Unknown Kind = "unknown"
)

// A Finding is how a series changes.
type Finding struct {
	Kind Kind
	// At is the index of the first value after a step; 0 of all other kinds.
	At int
	// Change is the median after a step minus that before, or what the trend adds from the first value to the last, as a fraction
	// of the series' median. With NoChange it is that of the clearest candidate.
	Change float64
	// Clarity is the statistic of the clearest candidate divided by its bound: above 1 it is significant at 1%.
	Clarity float64
	// Tells is the smallest step in the middle of the series that would be significant, as a fraction of the median; +Inf if
	// there are too few values.
	Tells float64
}

// Changes reports whether a change was found.
func (f Finding) Changes() bool { return f.Kind == Step || f.Kind == Trend }

// Stationary looks for one step or trend in a series, such as the calls per second in each 50 ms of a trial's measured phase.
// It finds one that is significant at 1% and at least NotableChange of the median.
//
// The statistic is the greatest t of a step over all places in the series but its ends, and of a trend: that of a regression
// whose errors are autoregressive of order 1, by generalized least squares (S. J. Prais, C. B. Winsten, Trend estimators and
// serial correlation, Cowles Commission 383, 1954; the greatest over all places as in D. W. K. Andrews, Tests for parameter
// instability and structural change with unknown change point, Econometrica 61, 1993). It is taken twice: with ρ estimated
// from what the step leaves, which finds most where values are independent, and with ρ of 0.5, which finds most where they
// are not. Asymptotic bounds don't hold for so few values and an estimated ρ, so both bounds come from simulation, at a ρ of
// 0.5 for 40 values and less, and up to 0.7 for 100 (see clearBounds). Tests state what that is worth with noise of 5%
// and ρ up to 0.5: of series at rest 1% are accused (2% where the noise is not normal), and of steps of 20% anywhere but in the
// first and last tenth, 90% are found in 40 values and nearly all in 100, whatever the noise.
//
// Logarithms are compared, and a value out of line counts as one six deviations from its neighbors. It is no test for all
// that can change: a level that comes back, a spread that grows and a period are not what it looks for.
func Stationary(series []float64) Finding { return StationaryTogether([][]float64{series}) }

// judged is Stationary of logarithms.
func judged(logs []float64) Finding {
	best, tells := clearest(logs)
	best.Tells = math.Expm1(tells)
	if best.Kind == Step {
		parts := exponentials(logs)
		best.Change = (middle(parts[best.At:]) - middle(parts[:best.At])) / middle(parts)
	}
	if best.Clarity > 1 && math.Abs(best.Change) >= NotableChange {
		return best
	}
	best.Kind, best.At = NoChange, 0
	if best.Tells > stationaryTells {
		best.Kind = Unknown
	}
	return best
}

func exponentials(logs []float64) []float64 {
	values := make([]float64, len(logs))
	for i, log := range logs {
		values[i] = math.Exp(log)
	}
	return values
}

// logarithms makes equal ratios equal distances, so noise is equally large on both sides of a step. Values below a hundredth of
// the level count as that.
func logarithms(values []float64, level float64) []float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(max(v/level, 0.01))
	}
	return logs
}

// winsorized limits values to six deviations from the median of the five around them, so that a few far out of line neither
// make a change nor hide one. The deviation is that of the differences of neighbors, which a step does not widen: 1.4826
// times the median of their sizes, by √2 (F. R. Hampel, The influence curve and its role in robust estimation, Journal of the
// American Statistical Association 69, 1974). Where most neighbors are equal, none is out of line.
func winsorized(values []float64) []float64 {
	differences := make([]float64, len(values)-1)
	for i := range differences {
		differences[i] = math.Abs(values[i+1] - values[i])
	}
	most := 6 * 1.4826 * middle(differences) / math.Sqrt2
	if most == 0 {
		return values
	}
	limited := slices.Clone(values)
	var five [5]float64
	for i, v := range values {
		from := min(max(i-2, 0), len(values)-len(five))
		copy(five[:], values[from:])
		slices.Sort(five[:])
		center := five[2]
		limited[i] = min(max(v, center-most), center+most)
	}
	return limited
}

// clearest returns the candidate with the largest statistic, relative to its bound, and the least step in the middle that
// would reach it. Of a trend it has the Change.
func clearest(logs []float64) (best Finding, tells float64) {
	n, sums := len(logs), lagSumsOf(logs)
	bounds := clearBounds(n)
	end := max(2, n/stationaryEnds)
	for at := end; at <= n-end; at++ {
		given, fitted := sums.step(at, givenRho), sums.step(at, sums.remaining(at))
		if clarity := max(given.t()/bounds.given, fitted.t()/bounds.fitted); clarity > best.Clarity {
			best = Finding{Kind: Step, At: at, Clarity: clarity}
		}
		if at == n/2 {
			tells = min(given.error*bounds.given, fitted.error*bounds.fitted)
		}
	}
	trend := slopeOf(logs, givenRho)
	if clarity := trend.t() / bounds.given; clarity > best.Clarity {
		total := trend.slope * float64(n-1)
		best = Finding{Kind: Trend, Change: 2 * math.Sinh(total/2), Clarity: clarity}
	}
	return best, tells
}

// stationaryEnds excludes one in that many values at each end of a series from the search for steps.
const stationaryEnds = 20

// givenRho is the correlation of neighbors that is taken for granted in one of the two statistics.
const givenRho = 0.5

// bounds holds the thresholds of the two statistics.
type bounds struct{ given, fitted float64 }

// boundsAt are bounds by the number of values, from 1,500 simulated series each. Either of the two statistics reaches its own
// equally often, and one or the other in 1% of the series.
var boundsAt = []struct {
	n float64
	bounds
}{
	{20, bounds{4.25, 6.5}}, {30, bounds{4.25, 5.6}}, {40, bounds{3.95, 4.9}}, {60, bounds{4.5, 4.9}}, {80, bounds{5.2, 5.0}},
	{100, bounds{5.7, 4.9}},
}

// clearBounds interpolates.
func clearBounds(n int) bounds {
	last := boundsAt[0]
	for _, next := range boundsAt {
		if float64(n) <= next.n {
			part := 0.0
			if next.n > last.n {
				part = (float64(n) - last.n) / (next.n - last.n)
			}
			return bounds{last.given + part*(next.given-last.given), last.fitted + part*(next.fitted-last.fitted)}
		}
		last = next
	}
	return last.bounds
}
