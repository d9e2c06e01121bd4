package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// compilerWarmUps says how long calls were made until just-in-time compilers were quiet, and where they never were. Trials that
// reused processes are only counted, and those among them in whose row compilers had not become quiet.
func compilerWarmUps(rows []*analysis.Row) []string {
	var seconds []float64
	busy, harder, later, laterBusy := 0, 0, 0, 0
	seen := map[*analysis.Trial]bool{}
	for _, row := range rows {
		for _, trial := range slices.Concat(row.Trials, row.Failed) {
			c := trial.Compilers
			if seen[trial] || c == nil {
				continue
			}
			seen[trial] = true
			if trial.ProcessesOf != "" {
				later++
				if !c.Quiet {
					laterBusy++
				}
				continue
			}
			seconds = append(seconds, float64(c.ElapsedNs)/1e9)
			if !c.Quiet {
				busy++
			}
			if c.Closed {
				harder++
			}
		}
	}
	if len(seconds) == 0 {
		return nil
	}
	line := fmt.Sprintf("Just-in-time compilers were warmed up before the warm-up until they were quiet, for %.1f s "+
		"(median; %.1f to %.1f s)", stat.Summarize(seconds).Median, slices.Min(seconds), slices.Max(seconds))
	if harder > 0 {
		line += fmt.Sprintf("; in %s first by loads with more calls than the measured one", number.Count(harder, "trial"))
	}
	if busy > 0 {
		line += fmt.Sprintf("; in %d of %s they were still busy when the time for it was over", busy,
			number.Count(len(seconds), "trial"))
	}
	if later > 0 {
		line += fmt.Sprintf("; %s went on in the same processes", number.Count(later, "later trial"))
	}
	if laterBusy > 0 {
		line += fmt.Sprintf(", %d of them with compilers that were not quiet under its load in the time for it", laterBusy)
	}
	return []string{line + "."}
}

// warmUps says how long the warm-ups took that were to end when their load was steady, and how many never were. It is one
// line, or none where all had a fixed length.
func warmUps(rows []*analysis.Row) []string {
	var seconds []float64
	unsteady, prolonged := 0, 0
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
			if w.Prolonged > 0 {
				prolonged++
			}
		}
	}
	if len(seconds) == 0 {
		return nil
	}
	line := fmt.Sprintf("Warm-ups ended when the load was steady, after %.1f s (median; %.1f to %.1f s)",
		stat.Summarize(seconds).Median, slices.Min(seconds), slices.Max(seconds))
	trials := number.Count(len(seconds), "trial")
	if unsteady > 0 {
		line += fmt.Sprintf("; in %d of %s it was never steady, and the warm-up took its maximum", unsteady, trials)
	}
	if prolonged > 0 {
		line += fmt.Sprintf("; in %d of %s calls still became faster in the measured phase, which was added to the warm-up and "+
			"repeated", prolonged, trials)
	}
	return []string{line + "."}
}
