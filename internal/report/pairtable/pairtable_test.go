package pairtable

import (
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/stat"
)

func TestADifferenceIsSaidInASentence(t *testing.T) {
	t.Parallel()
	found := func(decision stat.Decision, ratio, lo, hi float64) pairs.Finding {
		return pairs.Finding{Pairs: 24, Look: stat.Look{Blocks: 12, Known: true, Decision: decision, Least: 0.041, Needed: 20,
			Ratio: stat.Estimate{Value: ratio, Lo: lo, Hi: hi}}}
	}
	biased := found(stat.Greater, 1.072, 1.051, 1.094)
	biased.Part = pairs.Bias{Shows: true, Ratio: stat.Ratio{Estimate: stat.Estimate{Value: 1.05, Lo: 1.02, Hi: 1.08}}}
	unpaired := pairs.Finding{Part: biased.Part}
	for _, test := range []struct {
		found  pairs.Finding
		metric analysis.Metric
		want   string
	}{
		{found(stat.Greater, 1.072, 1.051, 1.094), analysis.ResponseP99Ns,
			"B is 7.2% slower than A in response_p99 (5.1–9.4%, 24 pairs)."},
		{found(stat.Less, 0.93, 0.91, 0.95), analysis.ResponseP99Ns,
			"B is 7.0% faster than A in response_p99 (5.0–9.0%, 24 pairs)."},
		{found(stat.Less, 0.93, 0.91, 0.95), analysis.CallsPerSec,
			"B is 7.0% slower than A in calls_per_sec (5.0–9.0%, 24 pairs)."},
		{found(stat.Greater, 1.07, 1.05, 1.09), analysis.ClientCPUPerCall,
			"B has 7.0% more than A in client_cpu_per_call (5.0–9.0%, 24 pairs)."},
		{found(stat.Same, 1.01, 0.99, 1.03), analysis.ResponseP99Ns,
			"A and B are the same within 5% in response_p99: B is at +1.0% (-1.0% to +3.0%, 24 pairs) of A."},
		{found(stat.Untold, 1.01, 0.98, 1.06), analysis.ResponseP99Ns,
			"Can't tell A and B apart in response_p99: B is at +1.0% (-2.0% to +6.0%, 24 pairs) of A. A difference of 4.1% would " +
				"have been found; about 40 pairs would find one of 5%."},
		{biased, analysis.ResponseP99Ns,
			"Can't tell A and B apart in response_p99: A differs from itself by +5.0% (+2.0% to +8.0%), so something treats the " +
				"two parts of a pair differently. B is at +7.2% of A (24 pairs)."},
		{unpaired, analysis.ResponseP99Ns,
			"Can't tell A and B apart in response_p99: A differs from itself by +5.0% (+2.0% to +8.0%), so something treats the " +
				"two parts of a pair differently."},
		{pairs.Finding{Pairs: 4}, analysis.ResponseP99Ns,
			"Can't tell A and B apart in response_p99: 4 pairs of A and B can be used, and 14 are needed."},
	} {
		if got := answerOf(test.found, test.metric, 0.05); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
}
