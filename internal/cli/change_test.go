package cli

import (
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// A change is said with the trials that failed, which it leaves out; where none was measured yet, with what it needs.
func TestAChangeIsSaidWithTheTrialsThatFailed(t *testing.T) {
	t.Parallel()
	change := stat.Compare([]float64{5e6, 5e6, 5e6, 5e6}, []float64{6e6, 6e6, 6e6, 6e6})
	for want, line := range map[string]compare.Line{
		"+20.0% (+20.0 to +20.0)":                                   {Change: change, Failed: [2]int{1, 1}},
		"2 of 6 trials failed; the others: +20.0% (+20.0 to +20.0)": {Change: change, Failed: [2]int{0, 2}},
		"3 trials failed, and no other was measured":                {Failed: [2]int{0, 3}},
		"it needs at least 16 pairs":                                {Change: stat.Change{Design: stat.Looks, Trials: 8, TooFew: true}},
	} {
		if got := changeWords(line, string(analysis.ResponseP50Ns)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A percentile of too few calls is said with what it needs, unless the change is over the limit anyway.
func TestAPercentileOfTooFewCallsIsSaidWithWhatItNeeds(t *testing.T) {
	t.Parallel()
	change := stat.Compare([]float64{5e6, 5e6, 5e6, 5e6, 5e6, 5e6}, []float64{6e6, 6e6, 6e6, 6e6, 6e6, 6e6})
	f := compare.Finding{Line: compare.Line{Point: "echo", Side: "new", Change: change, Few: 368},
		Column: string(analysis.ResponseP99Ns)}
	for outcome, want := range map[compare.Outcome]string{
		compare.Open:   "can't tell: echo, new: +20.0% (+20.0 to +20.0); a p99 needs at least 368 calls in a trial",
		compare.Broken: "over it: echo, new: +20.0% (+20.0 to +20.0)",
	} {
		if f.Outcome = outcome; findingWords(f) != want {
			t.Errorf("%q, want %q", findingWords(f), want)
		}
	}
}
