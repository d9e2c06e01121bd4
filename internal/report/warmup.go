package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// warmUps says how long the warm-ups took that were to end when their load was steady, and how many never were. It is one
// line, or none where all had a fixed length.
func warmUps(rows []*analysis.Row) []string {
	var seconds []float64
	unsteady := 0
	seen := map[*analysis.Trial]bool{}
	for _, row := range rows {
		for _, trial := range slices.Concat(row.Trials, row.Failed) {
			w := trial.Warmup
			if seen[trial] || w == nil || w.Steady == nil {
				continue
			}
			seen[trial] = true
			seconds = append(seconds, float64(w.ElapsedNs)/1e9)
			if !*w.Steady {
				unsteady++
			}
		}
	}
	if len(seconds) == 0 {
		return nil
	}
	line := fmt.Sprintf("Warm-ups ended when the load was steady, after %s s (median; %s to %s s)",
		tenths(stat.Summarize(seconds).Median), tenths(slices.Min(seconds)), tenths(slices.Max(seconds)))
	if unsteady == 0 {
		return []string{line + "."}
	}
	return []string{fmt.Sprintf("%s; in %d of %s it was never steady, and the warm-up took its maximum.", line, unsteady,
		plural(int64(len(seconds)), "trial"))}
}

func tenths(value float64) string { return grouped(value, 1) }
