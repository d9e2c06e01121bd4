package selftest

import (
	"fmt"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// disturbanceOf describes the host's activity if it may have distorted a trial's figures, and is otherwise empty. The bounds of
// NOISY_HOST are for figures of many calls, so the longest hiccup counts as well: one call of a hundred makes a p99.
func disturbanceOf(trial result.Trial) string {
	if len(trial.Hosts) == 0 {
		return ""
	}
	if why := noiseOf(trial); why != "" {
		return why
	}
	for _, use := range trial.Hosts {
		if late := time.Duration(use.Hiccups.MaxNs); late > hiccupUsual {
			return fmt.Sprintf("an idle thread woke up %s late (bound %s)", printed(late), printed(hiccupUsual))
		}
	}
	return ""
}

// noiseOf is the sentence of reports about a noisy host.
func noiseOf(trial result.Trial) string {
	trial.Cases = []plan.Case{{}} // without one it would be left out
	report, err := analysis.Build([]*result.File{{Trials: []result.Trial{trial}}})
	if err != nil {
		return ""
	}
	for _, measured := range report.Rows[0].Trials {
		for _, finding := range measured.Findings() {
			if finding.Verdict == analysis.VerdictNoisyHost {
				return finding.Why
			}
		}
	}
	return ""
}
