package model

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// binsPerDecade is the resolution of drawn histograms: each bin is 12% wider than the one before.
const binsPerDecade = 20

// bin is the number of the bin of a time in ns. The page has the same formula.
func bin(ns int64) int64 { return int64(math.Floor(math.Log10(float64(max(ns, 1))) * binsPerDecade)) }

// curveOf are points of the response along the percentiles: 1000/(1−q) for the percentile q, and its median over trials with the
// ends of its spread, in ns. It goes as far as every trial has calls beyond it.
func curveOf(row *analysis.Row, perDecade float64) ([][4]int64, error) {
	trials, err := note.Decoded(row, result.HistResponse)
	if err != nil || len(trials) == 0 || row.Spec.Coding() {
		return nil, err
	}
	calls := math.Inf(1)
	for _, h := range trials {
		calls = min(calls, float64(h.TotalCount()))
	}
	var curve [][4]int64
	for i := 0.0; ; i++ {
		x := math.Pow(10, i/perDecade)
		if x > calls*(1+1e-9) {
			return curve, nil
		}
		curve = append(curve, atPart(trials, x))
	}
}

func atPart(trials []*hdrhistogram.Histogram, x float64) [4]int64 {
	values := make([]float64, len(trials))
	for i, h := range trials {
		values[i] = float64(record.Quantile(h, 1-1/x))
	}
	s := stat.Summarize(values)
	whole := func(v float64) int64 { return int64(math.Round(v)) }
	return [4]int64{whole(1000 * x), whole(s.Median), whole(s.Lo), whole(s.Hi)}
}

// binsOf are the calls of all trials by their response: the number of a bin, and how many calls it has. There are
// none of trials whose histograms don't merge.
func binsOf(row *analysis.Row) [][2]int64 {
	all, err := row.Merged(result.HistResponse)
	if err != nil || all == nil || row.Spec.Coding() {
		return nil
	}
	return binned(all)
}

func binned(h *hdrhistogram.Histogram) [][2]int64 {
	counts := map[int64]int64{}
	for _, bar := range h.Distribution() {
		if bar.Count > 0 {
			counts[bin((bar.From+bar.To)/2)] += bar.Count
		}
	}
	var bins [][2]int64
	for number, count := range counts {
		bins = append(bins, [2]int64{number, count})
	}
	slices.SortFunc(bins, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return bins
}
