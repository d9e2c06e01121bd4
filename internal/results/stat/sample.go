package stat

import "math"

// SamplesNeeded is how many samples a quantile (above 0, below 1) needs to be printed: as many as give it a two-sided
// confidence interval that ends at both sides. The interval of order statistics reaches at most from the smallest to the
// largest sample; the largest of n falls short of the quantile q with the probability qⁿ, which may be at most 2.5%, and
// likewise the smallest. (W. J. Conover, Practical Nonparametric Statistics, 3rd edition, section 3.2.)
//
// So p50 needs 6 samples (which is ConfidenceTrials), p90 36, p99 368, p99.9 3,688 and p99.99 36,887, between 3 and 4 of them
// beyond the quantile. The rule counts samples as if independent; calls of a trial, which share its moments, are less,
// so it is the least that can be asked.
func SamplesNeeded(quantile float64) int {
	inside := max(quantile, 1-quantile)
	return int(math.Ceil(math.Log((1-confidence)/2) / math.Log(inside)))
}
