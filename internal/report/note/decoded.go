package note

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Decoded returns a histogram of each of a row's trials that has samples in it.
func Decoded(row *analysis.Row, name string) ([]*hdrhistogram.Histogram, error) {
	var trials []*hdrhistogram.Histogram
	for _, trial := range row.Trials {
		encoded, ok := trial.Histograms[name]
		if !ok {
			continue
		}
		h, err := result.DecodeHistogram(encoded)
		if err != nil {
			return nil, fmt.Errorf("trial %s: %w", trial.ID, err)
		}
		if h.TotalCount() > 0 {
			trials = append(trials, h)
		}
	}
	return trials, nil
}
