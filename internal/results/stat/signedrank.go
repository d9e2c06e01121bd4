package stat

import (
	"cmp"
	"math"
	"slices"
)

// signedRankExact is the largest sample whose signed-rank distribution is computed exactly; beyond it the normal
// approximation is off by less than 1% of any p value that matters.
const signedRankExact = 200

// signedRank returns the one-sided p values of the hypothesis that differences are symmetric about 0: that they tend to be
// below it, and that they tend to be above. It is conditional on the sizes of the differences, so that ties cost nothing.
// Zeros are ranked and then left out.
//
// Where the order of the two sides of every difference was drawn at random, the hypothesis that the side makes no
// difference flips every sign by a fair coin, whatever the noise is: autocorrelated, drifting or heavy-tailed.
// (F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1, 1945; zeros by J. W. Pratt, Remarks on
// zeros and ties in the Wilcoxon signed rank procedures, Journal of the American Statistical Association 54, 1959.)
func signedRank(differences []float64) (below, above float64) {
	ranks := doubledRanks(differences)
	positive, total := 0, 0
	var moving []int
	for i, d := range differences {
		if d == 0 {
			continue
		}
		moving = append(moving, ranks[i])
		total += ranks[i]
		if d > 0 {
			positive += ranks[i]
		}
	}
	return signTail(moving, positive), signTail(moving, total-positive)
}

// doubledRanks are twice the ranks of the sizes of the values, the mean of their ranks where some tie: whole numbers.
func doubledRanks(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(values[order[i]]) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(values[a]), math.Abs(values[b])) })
	ranks := make([]int, len(values))
	for first := 0; first < len(order); {
		next := first + 1
		for next < len(order) && size(next) == size(first) {
			next++
		}
		for i := first; i < next; i++ {
			ranks[order[i]] = first + 1 + next
		}
		first = next
	}
	return ranks
}

// signTail is the probability that the sum of the doubled ranks that a fair coin keeps is at most sum.
func signTail(ranks []int, sum int) float64 {
	if len(ranks) > signedRankExact {
		mean, variance := 0.0, 0.0
		for _, r := range ranks {
			mean, variance = mean+float64(r)/2, variance+float64(r)*float64(r)/4
		}
		return normalTail((float64(sum) + 1 - mean) / math.Sqrt(variance)) // half a rank for continuity
	}
	tail := 0.0
	for _, p := range signSums(ranks)[:sum+1] {
		tail += p
	}
	return min(1, tail)
}

// signTails is the distribution of the sum of the ranks 1 to n that a fair coin keeps.
func signTails(n int) func(sum int) float64 {
	ranks, doubled := make([]int, n), make([]int, n)
	for i := range ranks {
		ranks[i], doubled[i] = i+1, 2*(i+1)
	}
	if n > signedRankExact {
		return func(sum int) float64 { return signTail(doubled, 2*sum) }
	}
	tails := signSums(ranks)
	for i := 1; i < len(tails); i++ {
		tails[i] += tails[i-1]
	}
	return func(sum int) float64 { return tails[sum] }
}

// signSums are the probabilities of all sums of the ranks that a fair coin keeps.
func signSums(ranks []int) []float64 {
	chances, top := []float64{1}, 0
	for _, r := range ranks {
		top += r
		chances = append(chances, make([]float64, top+1-len(chances))...)
		for s := top; s >= 0; s-- {
			chances[s] /= 2
			if s >= r {
				chances[s] += chances[s-r] / 2
			}
		}
	}
	return chances
}

// leastSignedRank is the least two-sided p value that n differences can have.
func leastSignedRank(n int) float64 { return min(1, math.Ldexp(2, -n)) }

// normalTail is the distribution function of the standard normal distribution.
func normalTail(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
