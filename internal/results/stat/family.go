package stat

import (
	"cmp"
	"slices"
)

// Adjust returns the q values of a family of p values, in the same order: the least level at which the procedure of
// Benjamini and Hochberg, which bounds the expected share of false calls among all calls, would call each. With the p
// values sorted, q of the i-th of m is the least of m·p(j)/j over j ≥ i, at most 1.
// (Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57, 1995;
// in this form D. Yekutieli, Y. Benjamini, Journal of Statistical Planning and Inference 82, 1999.)
func Adjust(p []float64) []float64 {
	order := ascending(p)
	q, least := make([]float64, len(p)), 1.0
	for i, at := range slices.Backward(order) {
		least = min(least, p[at]*float64(len(p))/float64(i+1))
		q[at] = least
	}
	return q
}

// Levels returns for each p value of a family what it must be less than to be called at a level, the others being what they
// are: level·k/m, where k is how many of the m would be called if this one were 0.
//
// That is exact, because a p value that is called can be lowered to 0 without a change to how many are called: the
// procedure looks for the largest k with the k-th p value under level·k/m, and a p value that is among the k first stays
// there. So it is called just where it is under level·k/m with that very k. The level lies between level/m, where nothing
// else in the family is called, and level, where all else is.
//
// A row whose samples are too small to reach its level (LeastP) can't be called, however different its sides are: the
// answer is not that they are alike, but TrialsNeeded.
func Levels(p []float64, level float64) []float64 {
	order, m := ascending(p), len(p)
	isUnder := func(value float64, k int) bool { return under(value, level*float64(k)/float64(m)) }
	called := 0
	for k := m; k > 0 && called == 0; k-- {
		if isUnder(p[order[k-1]], k) {
			called = k
		}
	}
	// With the r-th p value lowered to 0, those before it each move up by one place, and those behind it stay.
	levels, before := make([]float64, m), 1
	for r, at := range order {
		if r > 0 && isUnder(p[order[r-1]], r+1) {
			before = r + 1
		}
		levels[at] = level * float64(max(called, before)) / float64(m)
	}
	return levels
}

// ascending returns the indices of values in the order of the values.
func ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	return order
}
