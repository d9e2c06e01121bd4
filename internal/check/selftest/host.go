package selftest

import (
	"fmt"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// disturbanceOf says what the host did beside a trial that can have put its figures off; empty is nothing. The bounds of
// NOISY_HOST are for figures of many calls, so that the longest hiccup counts as well: one call of a hundred makes a p99.
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

// noiseOf is what reports say of a noisy host.
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
