package archivetable

import (
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
)

func TestWhatWasNotServedHasNoTime(t *testing.T) {
	t.Parallel()
	found := Found{
		archive.Series{Metric: string(analysis.ResponseP99Ns)},
		archive.Change{Before: 2e6, After: analysis.NotServed},
	}
	if before, after, change := found.Text(found.Before), found.Text(found.After), found.Percent(); before != "2.00 ms" ||
		after != "∞" || change != "" {
		t.Errorf("from %s to %s by %q", before, after, change)
	}
	if got := TextOf(string(analysis.CallsPerSec), analysis.NotServed); got != "3,600,000,000,000" {
		t.Errorf("a rate is %s", got)
	}
}
