// Package stat summarizes trials and compares them. A sample has one number per trial. Calls within a trial are never a sample
// here: they share a process, a heap and a moment, and so say nothing about the next trial. Within a trial, only the series
// of its intervals is examined: whether it has become steady (Steady) and stays so (Stationary).
//
// Nothing is assumed about the distribution of a sample: its center is the median, its spread is based on order statistics,
// and differences are tested by ranks. What can't be decided is reported as such, never guessed. Samples at several settings
// can be fitted by a line or by the universal scalability law. A fit says how far off it is, and points that support no fit
// are an error with an explanation. The package is pure: the same numbers give the same answer, including random draws.
package stat

import (
	"math"
	"sort"
)

// Names for Lo and Hi of a Summary.
const (
	// SpreadMinMax is the range of the sample. It is no confidence interval and gets wider with every trial.
	SpreadMinMax = "min-max"
	// SpreadCI95 is a confidence interval of the median with at least 95% coverage, if the sample is of independent values.
	SpreadCI95 = "ci95"
)

// ConfidenceTrials is the smallest sample with a SpreadCI95: the range of 5 covers the median with 93.75% only.
const ConfidenceTrials = 6

// confidence is the least coverage of SpreadCI95.
const confidence = 0.95

// A Summary estimates the median of the distribution that a sample was drawn from.
type Summary struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Spread string  `json:"spread"` // SpreadMinMax below ConfidenceTrials (SummarizeOccasions: times), SpreadCI95 from there on
}

// Summarize sums up a sample of at least one finite value, in any order. It leaves the sample as it is.
func Summarize(sample []float64) Summary {
	sorted := inOrder(sample)
	n := len(sorted)
	rank := 1
	if n >= ConfidenceTrials {
		rank = confidenceRank(n)
	}
	return Summary{N: n, Median: median(sorted), Lo: sorted[rank-1], Hi: sorted[n-rank], Spread: SpreadOf(n)}
}

// SpreadOf names the spread of a sample of n.
func SpreadOf(n int) string {
	if n < ConfidenceTrials {
		return SpreadMinMax
	}
	return SpreadCI95
}

func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	lo, hi := sorted[n/2-1], sorted[n/2]
	if math.IsInf(hi-lo, 0) { // more than a number can be, of finite ones
		return lo/2 + hi/2
	}
	return lo + (hi-lo)/2
}

// confidenceRank returns the largest r for which the interval from the r-th smallest to the r-th largest of n values
// still covers the median with the confidence, at least 1. See coverage, which gets smaller with every r.
func confidenceRank(n int) int {
	return max(1, sort.Search(n/2, func(i int) bool { return coverage(n, i+1) < confidence }))
}

// coverage is the probability that the median of any continuous distribution lies between the r-th smallest and the
// r-th largest of n independent draws from it: 1 − 2·P(B ≤ r−1), where B ~ Binomial(n, ½) counts the draws below the
// median. For a distribution with ties it is a lower bound. (W. J. Conover, Practical Nonparametric Statistics, 3rd
// edition, section 3.2.)
func coverage(n, r int) float64 {
	below := 0.0
	for k := range r {
		below += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return 1 - 2*below
}

// logChoose is the logarithm of n over k, which overflows for large n otherwise.
func logChoose(n, k int) float64 {
	gamma := func(x int) float64 {
		value, _ := math.Lgamma(float64(x + 1))
		return value
	}
	return gamma(n) - gamma(k) - gamma(n-k)
}
