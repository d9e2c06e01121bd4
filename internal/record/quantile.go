package record

import "github.com/HdrHistogram/hdrhistogram-go"

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
func Quantile(h *hdrhistogram.Histogram, q float64) int64 { return h.ValueAtQuantile(100 * q) }
