package record

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Quantiles sums up a histogram, in ns. All are 0 when it is empty.
type Quantiles struct {
	Calls, P50, P90, P99, Max int64
}

// QuantilesOf reads a histogram.
func QuantilesOf(h *hdrhistogram.Histogram) Quantiles {
	return Quantiles{
		Calls: h.TotalCount(), P50: Quantile(h, .5), P90: Quantile(h, .9), P99: Quantile(h, .99), Max: Quantile(h, 1),
	}
}

// Quantile returns the value that the part q (0–1) of the samples does not exceed, to 3 significant digits; 0 when there
// are none.
//
// The rank is rounded up, as in HdrHistogram for Java. The library rounds to the nearest, so that its p90 of 16 samples
// is the 14th, which only 87.5% do not exceed; a percentile made of the whole rank leaves it nothing to round. Java also
// takes q one ulp lower, lest an inexact product reach the next rank.
func Quantile(h *hdrhistogram.Histogram, q float64) int64 {
	return AtRank(h, RankOf(q, h.TotalCount()))
}

// RankOf returns how many of the samples do not exceed their quantile q.
func RankOf(q float64, samples int64) int64 {
	return int64(max(math.Ceil(math.Nextafter(100*q, 0)*float64(samples)/100), 1))
}

// AtRank returns the value of the sample that is rank-th from below, from 1.
func AtRank(h *hdrhistogram.Histogram, rank int64) int64 {
	return h.ValueAtPercentile(100 * float64(rank) / float64(h.TotalCount()))
}

// Without returns a histogram of h's samples but for those of part, which are among them. Both have the range and precision of
// NewHistogram's.
func Without(h, part *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	rest, taken := h.Export(), part.Export().Counts
	for i := range min(len(taken), len(rest.Counts)) {
		rest.Counts[i] -= taken[i]
	}
	return hdrhistogram.Import(rest)
}
