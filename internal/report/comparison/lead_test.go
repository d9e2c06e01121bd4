package comparison

import (
	"testing"

	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// Sentences have the word of the table for what is not decided.
func TestSentencesSayWhatTheTableSays(t *testing.T) {
	t.Parallel()
	line := func(decision stat.Decision) compare.Line {
		return compare.Line{Side: "after", Change: stat.Change{Decision: decision}}
	}
	untold, worse := line(stat.Untold), line(stat.Greater)
	for want, lines := range map[string][]compare.Line{
		"response_p50 of after can't be told from the baseline's.":  {untold},
		"response_p50 of after is worse.":                           {worse},
		"response_p50: of 3 comparisons, 1 worse, 2 can't be told.": {untold, worse, untold},
	} {
		if got := changesLead(compare.Table{Metric: "response_p50", Better: stat.Lower, Lines: lines}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
