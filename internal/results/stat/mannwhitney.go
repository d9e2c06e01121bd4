package stat

import (
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// oneSided is the p value of Mann and Whitney's test against the alternative that a, a sample of finite values, tends to be less
// than b. It is exact up to 50 values on each side, or 25 where values tie, and a normal approximation with corrections for ties
// and continuity beyond. Samples that can tell nothing, because one is empty, all values are the same or one is NaN, have the p
// value 1: NaN has no place in an order, and the library would look for it for ever.
//
// The p value of two sides is twice the smaller of the two one-sided ones, at most 1. Both are computed because ties make U's
// distribution lopsided where the samples differ in size, so that twice one tail would not do.
//
// (H. B. Mann, D. R. Whitney, On a test of whether one of two random variables is stochastically larger than the other,
// Annals of Mathematical Statistics 18, 1947; with ties by J. H. Klotz, The Wilcoxon, ties, and the computer, Journal of the
// American Statistical Association 61, 1966.)
func oneSided(a, b []float64) float64 {
	if slices.ContainsFunc(a, math.IsNaN) || slices.ContainsFunc(b, math.IsNaN) {
		return 1
	}
	result, err := stats.MannWhitneyUTest(a, b, stats.LocationLess)
	if err != nil {
		return 1
	}
	return result.P
}

// LeastP is the least two-sided p value that samples of n and m values can have: all of one side are less than all of the other,
// which is one order in n+m over n, and one more for the other direction. Ties can only make it larger.
func LeastP(n, m int) float64 {
	orders := 1.0
	for i := 1; i <= n; i++ {
		orders = orders * float64(m+i) / float64(i)
	}
	return min(1, 2/orders)
}

// TrialsNeeded is the least number of trials on each side that could reach a level, which is above 0: 4 for 0.05.
func TrialsNeeded(level float64) int {
	n := 1
	for !under(LeastP(n, n), level) {
		n++
	}
	return n
}

// under reports whether a p value is less than a level. One that equals it, but for the last digits of a float64, is not: it
// would depend on the order of sums.
func under(p, level float64) bool { return p < level*(1-1e-9) }
