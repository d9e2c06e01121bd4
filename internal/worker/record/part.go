package record

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// CountAbove returns the number of samples longer than d, within the histogram's precision.
func CountAbove(h *hdrhistogram.Histogram, d time.Duration) int64 {
	var n int64
	for _, bar := range h.Distribution() {
		if bar.From > int64(d) {
			n += bar.Count
		}
	}
	return n
}

// MeanUpTo returns the mean of the samples that are not longer than d; 0 when there are none.
func MeanUpTo(h *hdrhistogram.Histogram, d time.Duration) time.Duration {
	var sum, n int64
	for _, bar := range h.Distribution() {
		if bar.From <= int64(d) {
			sum, n = sum+bar.Count*(bar.From+bar.To)/2, n+bar.Count
		}
	}
	return time.Duration(sum / max(n, 1))
}
