package stat

import (
	"cmp"
	"slices"
)

// The thresholds of Unstable.
const (
	// UnstableSpread is the maximum width of the interval around a median, as a fraction of it. At that width, two rows of 10
	// trials show no difference below 20%, and hardly any row with noise of 5% between trials is as wide.
	UnstableSpread = 0.30
	// UnstableTrials is the least sample that is looked at for two humps.
	UnstableTrials = 5
	// humpTrials is the minimum number of trials of a hump: a single one is an outlier, which a median tolerates.
	humpTrials = 2
)

// An Instability is why the median of a sample means little. The zero value is none.
type Instability struct {
	// Spread is the width of the summary's interval as a part of the median, if that is above UnstableSpread.
	Spread float64
	// Low and High are the two humps of a sample that has them, of which the median is one or neither.
	Low, High Hump
}

// A Hump is neighboring values of a sample.
type Hump struct {
	N      int
	Median float64
}

// Unstable looks for what a median hides: an interval that is wide, and values in two humps with a gap between them. The
// statistic of the gap is its width divided by the range of the wider hump, over all places that leave two values on each
// side. Its bound is the largest 99th percentile among samples of the normal, the uniform, a lognormal (σ 0.5) and Student's
// distribution with 4 degrees of freedom, from 20,000 simulated samples each: a gap test in the manner of J. A. Hartigan,
// Clustering Algorithms, 1975, chapter 11. The gap must also be NotableChange of the median.
func Unstable(sample []float64) (i Instability) {
	if len(sample) < 2 {
		return i
	}
	s := Summarize(sample)
	if s.Median <= 0 {
		return i
	}
	if width := (s.Hi - s.Lo) / s.Median; width > UnstableSpread {
		i.Spread = width
	}
	sorted := inOrder(sample)
	at, ratio := widestGap(sorted)
	if len(sorted) >= UnstableTrials && ratio > gapBound(len(sorted)) && sorted[at]-sorted[at-1] >= NotableChange*s.Median {
		i.Low, i.High = Hump{at, median(sorted[:at])}, Hump{len(sorted) - at, median(sorted[at:])}
	}
	return i
}

// TwoHumped reports whether there are two humps.
func (i Instability) TwoHumped() bool { return i.Low.N > 0 }

// Any reports whether something was found.
func (i Instability) Any() bool { return i.TwoHumped() || i.Spread > 0 }

// widestGap returns where the gap with the largest ratio to the wider hump ends. Two humps without width have the largest.
func widestGap(sorted []float64) (at int, ratio float64) {
	last := len(sorted) - 1
	for i := humpTrials; i <= len(sorted)-humpTrials; i++ {
		gap, width := sorted[i]-sorted[i-1], max(sorted[i-1]-sorted[0], sorted[last]-sorted[i])
		if gap > 0 && gap > ratio*width {
			at, ratio = i, gap/max(width, 1e-9*gap)
		}
	}
	return at, ratio
}

// gapBounds are by the size of the sample.
var gapBounds = []struct {
	n     int
	bound float64
}{{5, 7}, {6, 4.5}, {8, 2.7}, {10, 1.9}, {15, 1.3}, {20, 1.1}, {30, 0.95}}

// gapBound interpolates.
func gapBound(n int) float64 {
	i, exact := slices.BinarySearchFunc(gapBounds, n, func(b struct {
		n     int
		bound float64
	}, n int,
	) int {
		return cmp.Compare(b.n, n)
	})
	switch {
	case exact || i == 0:
		return gapBounds[i].bound
	case i == len(gapBounds):
		return gapBounds[i-1].bound
	}
	a, b := gapBounds[i-1], gapBounds[i]
	return a.bound + (b.bound-a.bound)*float64(n-a.n)/float64(b.n-a.n)
}
