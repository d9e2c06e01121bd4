package stat

import "slices"

// RatioOf is the ratio of the medians B/A of two samples, one value for each trial, with its interval. False says that a
// sample is empty or has a value that is not above 0.
func RatioOf(a, b []float64) (Ratio, bool) {
	if len(a) == 0 || len(b) == 0 || slices.Min(a) <= 0 || slices.Min(b) <= 0 {
		return Ratio{}, false
	}
	return ratioOf([]Pair{{A: a, B: b}}), true
}
