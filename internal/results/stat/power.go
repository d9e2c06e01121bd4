package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// often is the probability with which a difference is to be found.
const often = 0.8

// power8 is how much further than a 95% interval reaches from its middle a difference must be to be found 8 times of 10: (1.96
// + 0.84)/1.96, of normal quantiles. (J. Cohen, Statistical Power Analysis for the Behavioral Sciences, chapter 2.)
const power8 = 1.43

// TrialsToClear is how many trials would have an interval that does not contain the bound, about 8 times of 10, if the
// value is right: it gets narrower with their square root, and it takes ConfidenceTrials to have one. False says that it can't be
// told: the bound is the value, or is not of its sign.
func TrialsToClear(of Estimate, trials int, bound float64) (n int, ok bool) {
	end := of.Hi
	if bound < of.Value {
		end = of.Lo
	}
	if !(of.Value > 0 && bound > 0 && end > 0) || bound == of.Value || trials < 1 {
		return 0, false
	}
	ratio := power8 * math.Log(end/of.Value) / math.Log(bound/of.Value)
	needed := math.Ceil(float64(trials) * ratio * ratio)
	if !(needed < math.MaxInt32) {
		return 0, false
	}
	return max(int(needed), ConfidenceTrials), true
}

// findsByRanks is sides.finds of a test by ranks: as far as its interval at the level reaches from its middle, and further as
// power8 says of that level. Where trials are too few for this interval, normal quantiles make it of that of Level.
func findsByRanks(s sides, level float64) (reach float64, ok bool) {
	z := func(level float64) float64 { return distuv.UnitNormal.Quantile(1 - level/2) }
	for _, known := range []float64{level, Level} {
		if lo, hi, ok := s.interval(known); ok {
			return (hi - lo) / 2 * (z(level) + distuv.UnitNormal.Quantile(often)) / z(known), true
		}
	}
	return 0, false
}

// times is how many trials find the difference if n find the reach: a spread narrows with their square root. 0 is unknown.
func times(n, reach, difference float64) int {
	if !(difference > 0) {
		return 0
	}
	needed := math.Ceil(n * (reach / difference) * (reach / difference))
	if !(needed < math.MaxInt32) {
		return 0
	}
	return int(needed)
}

// harmonic is how many trials on each side tell as much as n on one and m on the other, of equal variance 1/n + 1/m.
func harmonic(n, m int) float64 { return 2 / (1/float64(n) + 1/float64(m)) }

// finds is further than the interval reaches for two reasons: because the next estimate may be lower, as power8 says, with
// Student's quantile for 1.96; and because the next spread may be larger than this one, the ratio of which has the
// distribution of F. These are independent of one another, so their logarithms are added as squares.
func (s *occasions) finds(level float64) (reach float64, ok bool) {
	t, freedom := s.quantile(1-level/2), s.freedom()
	estimate := math.Log1p(distuv.UnitNormal.Quantile(often) / t)
	spread := math.Log(distuv.F{D1: freedom, D2: freedom}.Quantile(often)) / 2
	return t * s.deviation() * math.Exp(math.Hypot(estimate, spread)), true
}

// enough is the least n with 2·(spread·(t + t of 0.8))² ≤ n·difference², the quantiles being Student's with the freedom of n
// on each side. (G. W. Snedecor, W. G. Cochran, Statistical Methods, 7th edition, section 6.14.) That of few files has a
// spread that is too small more often than too large: what has the distribution of χ² is divided by its median.
func (s *occasions) enough(level, difference float64) int {
	spread := s.spread() * math.Sqrt(s.freedom()/distuv.ChiSquared{K: s.freedom()}.Quantile(0.5))
	least := func(quantile func(p float64) float64) int {
		return times(2, spread*(quantile(1-level/2)+quantile(often)), difference)
	}
	n := least(distuv.UnitNormal.Quantile) // Student's quantiles are larger, and less so the more files there are
	if n == 0 {
		return 0
	}
	n = max(n, 2)
	for least(distuv.StudentsT{Sigma: 1, Nu: float64(2*n - 2)}.Quantile) > n {
		n++
	}
	return n
}
