package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	// SteadyIntervals is the least series that can be steady, 2 s of 100 ms: on fewer, a slow rise is within the bounds.
	SteadyIntervals = 20
	// steadyBlocks is the number of values examined: a longer part is averaged in blocks, which reduces noise.
	steadyBlocks = 40
)

// A steadiness holds the bounds for the latest part of a series, all as fractions of its median.
type steadiness struct {
	err   float64 // how large the standard error of the median may be: with more, the rest can't be told
	trend float64 // how much the trend may add from the first value to the last
	step  float64 // how far the medians of the quarters may be from each other
}

// usualSteadiness is where tightening any bound takes a second more and relaxing it gains little:
// TestTheBoundsOfSteadinessTradeTimeForTruth states the costs.
var usualSteadiness = steadiness{err: 0.03, trend: 0.02, step: 0.10}

// Steady reports whether a series, such as the calls per second in each 100 ms of a warm-up so far, has come to rest. It looks
// at its later half, at least SteadyIntervals, because that part gets longer with the series: noise that hides a slow change
// at first hides it less later. There
//
//   - the median is known to 3%: that is its standard error (see medianError);
//   - Sen's slope adds up to at most 2%: no trend;
//   - the medians of its quarters lie within 10% of each other: no step, in particular no late one.
//
// So steadiness is shown, not assumed where nothing speaks against it: a series that is too short or too noisy is not
// steady, and whoever waits for it needs an end of his own. A series without values above 0 in its middle never is. In a
// simulation of warm-ups with noises of all kinds, 16% are ended while more than 5% of the speed is missing.
//
// The rate of an open load is what was offered, not what the stack can do; there the series had better be a time per call.
func Steady(series []float64) bool { return usualSteadiness.of(series) }

func (s steadiness) of(series []float64) bool {
	if len(series) < SteadyIntervals {
		return false
	}
	late := blocks(series[min(len(series)/2, len(series)-SteadyIntervals):], steadyBlocks)
	level := middle(late)
	return level > 0 &&
		medianError(late) <= s.err*level &&
		math.Abs(senSlope(late))*float64(len(late)-1) <= s.trend*level &&
		quartersApart(late) <= s.step*level
}

// medianError is the standard error of a median, √(π/2)·σ/√n for normal noise (R. McGill, J. W. Tukey, W. A. Larsen,
// Variations of box plots, American Statistician 32, 1978). They take σ from the distance of the quartiles; here it is that
// of the deciles, 2.563 σ, because the quartiles of small counts are too often the same number.
func medianError(values []float64) float64 {
	sorted := inOrder(values)
	deciles := stat.Quantile(0.9, stat.LinInterp, sorted, nil) - stat.Quantile(0.1, stat.LinInterp, sorted, nil)
	return math.Sqrt(math.Pi/2/float64(len(values))) * deciles / 2.563
}

// quartersApart is the distance between the largest and the smallest median of the quarters of at least 4 values.
func quartersApart(values []float64) float64 {
	var medians []float64
	for i := range 4 {
		medians = append(medians, middle(values[i*len(values)/4:(i+1)*len(values)/4]))
	}
	return slices.Max(medians) - slices.Min(medians)
}
