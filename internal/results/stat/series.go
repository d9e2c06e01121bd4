package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// blocks cuts a series into neighbouring runs, of the same length or one more, and returns their means: most of them, or as
// many as there are values. Run i begins at i·len(series)/len(blocks). A mean keeps what a run counted; what stands out of
// line stays in one block.
func blocks(series []float64, most int) []float64 {
	n := min(len(series), most)
	means := make([]float64, n)
	for i := range means {
		means[i] = stat.Mean(series[i*len(series)/n:(i+1)*len(series)/n], nil)
	}
	return means
}

// middle is the median of values in any order.
func middle(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

// senSlope is the median of the slopes between all pairs of values, per step: a slope that a few values out of line don't
// bend. (P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical
// Association 63, 1968.) It needs two values.
func senSlope(values []float64) float64 {
	slopes := make([]float64, 0, len(values)*(len(values)-1)/2)
	for i := range values {
		for j := i + 1; j < len(values); j++ {
			slopes = append(slopes, (values[j]-values[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return median(slopes)
}

// ranks numbers values by size from 1; those that tie share the mean of their numbers. It also returns how many tie in each
// group, those that stand alone left out.
func ranks(values []float64) (ranks []float64, ties []int) {
	order := ascending(values)
	ranks = make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		if to-from > 1 {
			ties = append(ties, to-from)
		}
		from = to
	}
	return ranks, ties
}

// inflation is by how much correlation between neighbours multiplies the variance of rank statistics of a series, given
// what is left of it without the supposed change: (1+ρ)/(1−ρ), the values to the number of independent ones that tell as
// much, for an autoregressive series of order 1. (G. V. Bayley, J. M. Hammersley, Journal of the Royal Statistical Society,
// supplement 8, 1946; for trends, on what is left without them, S. Yue, C. Wang, The Mann–Kendall test modified by effective
// sample size, Water Resources Management 18, 2004.) It is at least 1: that neighbours avoid each other is not believed.
//
// ρ is the correlation of neighbours' ranks. A short series shows too little of it, by (1+3ρ)/n (F. H. C. Marriott,
// J. A. Pope, Bias in the estimation of autocorrelations, Biometrika 41, 1954); twice that is added, because the change was
// fitted too, where it looked largest.
func inflation(rest []float64) float64 {
	numbers, _ := ranks(rest)
	last := len(numbers) - 1
	rho := stat.Correlation(numbers[:last], numbers[1:], nil)
	if math.IsNaN(rho) { // nothing is left: the change is all there is
		return 1
	}
	rho += 2 * (1 + 3*rho) / float64(len(numbers))
	rho = min(max(rho, 0), correlationMost)
	return (1 + rho) / (1 - rho)
}

// correlationMost keeps the inflation finite: 100 values that hang together more tell as much as 3 independent ones.
const correlationMost = 0.95
