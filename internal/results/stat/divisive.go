package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A ChangePoint is a place where a series changed.
type ChangePoint struct {
	At int     // the first value after the change
	P  float64 // of the permutation test
}

const (
	// changeSide is the minimum number of values on either side of a change: one or two may not last.
	changeSide = 3
	// changeLevel is the probability of a change point in a series without any, whatever its distribution. A history has many
	// series, so it is smaller than Level.
	changeLevel = 0.01
	// permutations make the least p value a fifth of the level.
	permutations = 499
)

// ChangeLeast is the least number of values in which ChangePoints can find a change: of fewer, more than 1 in 100 orders are
// parted as clearly as the clearest step.
const ChangeLeast = 9

// ChangePoints returns where the distribution of a series changes, in order, by E-Divisive: the place that parts a segment into
// the two that differ most in energy distance is a change if a permutation of the segments hardly ever has one as clear; then
// the segments are searched again. (D. S. Matteson, N. A. James, A nonparametric approach for multiple change point analysis of
// multivariate data, Journal of the American Statistical Association 109, 2014, with α = 1; as applied to performance by D. Daly
// et al., The use of change point detection to identify software performance regressions in a continuous integration system,
// International Conference on Performance Engineering, 2020. As there, the right part reaches to the segment's end.)
//
// Values must be independent but for the changes. The permutations are seeded: the same series has the same changes.
func ChangePoints(series []float64) []ChangePoint {
	random := rand.New(rand.NewPCG(0x72706362, 0x64697673))
	cuts := []int{0, len(series)}
	var found []ChangePoint
	for {
		at, clearest := divide(series, cuts)
		if at == 0 {
			return found
		}
		p, isChange := permuted(series, cuts, clearest, random)
		if !isChange {
			return found
		}
		found = append(found, ChangePoint{at, p})
		slices.SortFunc(found, func(a, b ChangePoint) int { return a.At - b.At })
		cuts = append(cuts, at)
		slices.Sort(cuts)
	}
}

// divide returns the place in one of the segments between cuts that parts it most clearly, and how clearly; 0 is none.
func divide(series []float64, cuts []int) (at int, clearest float64) {
	for i, from := range cuts[1:] {
		begin := cuts[i]
		if place, apart := parting(series[begin:from]); place > 0 && apart > clearest {
			at, clearest = begin+place, apart
		}
	}
	return at, clearest
}

// parting returns where a segment is best parted, by the energy distance of its parts times mn/(m+n). Each value is moved from
// the right part to the left one, which takes one pass over the others.
func parting(segment []float64) (at int, clearest float64) {
	var left, right, across float64 // sums of distances within the parts and between them
	for i, x := range segment {
		for _, y := range segment[i+1:] {
			right += distance(x, y)
		}
	}
	for i, x := range segment[:max(len(segment)-changeSide, 0)] {
		var before, after float64
		for _, y := range segment[:i] {
			before += distance(x, y)
		}
		for _, y := range segment[i+1:] {
			after += distance(x, y)
		}
		left, right, across = left+before, right-after, across+after-before
		if i+1 < changeSide {
			continue
		}
		m, n := float64(i+1), float64(len(segment)-i-1)
		energy := 2*across/(m*n) - 2*left/(m*(m-1)) - 2*right/(n*(n-1))
		if apart := m * n / (m + n) * energy; apart > clearest {
			at, clearest = i+1, apart
		}
	}
	return at, clearest
}

func distance(x, y float64) float64 { return math.Abs(x - y) }

// permuted returns how often segments in random order are parted as clearly. It ends as soon as that is too often.
func permuted(series []float64, cuts []int, clearest float64, random *rand.Rand) (p float64, isChange bool) {
	shuffled := slices.Clone(series)
	as := 1
	for done := 1; done <= permutations; done++ {
		for i, to := range cuts[1:] {
			segment := shuffled[cuts[i]:to]
			random.Shuffle(len(segment), func(a, b int) { segment[a], segment[b] = segment[b], segment[a] })
		}
		if _, apart := divide(shuffled, cuts); apart >= clearest*(1-1e-9) {
			as++
		}
		if float64(as) > changeLevel*(permutations+1) {
			return float64(as) / float64(done+1), false
		}
	}
	return float64(as) / (permutations + 1), true
}
