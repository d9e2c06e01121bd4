package report

import (
	"slices"
	"testing"

	"rpcbench/internal/results/result"
)

func TestWarmUpsUntilSteadyAreSummedUpInALine(t *testing.T) {
	t.Parallel()
	lasted := []int64{2_010e6, 6_000e6, 2_300e6}
	steady := []bool{true, false, true}
	until := func(t *result.Trial) {
		t.Clients[0].Warmup = &result.Warmup{ElapsedNs: lasted[t.Repetition-1], Steady: &steady[t.Repetition-1]}
	}
	for name, test := range map[string]struct {
		trials int
		change func(*result.Trial)
		want   []string
	}{
		"fixed": {3, func(t *result.Trial) { t.Clients[0].Warmup = &result.Warmup{ElapsedNs: 1e9} }, nil},
		"none":  {1, func(*result.Trial) {}, nil},
		"steady": {1, until,
			[]string{"Warm-ups ended when the load was steady, after 2.0 s (median; 2.0 to 2.0 s)."}},
		"not always": {3, until, []string{"Warm-ups ended when the load was steady, after 2.3 s (median; 2.0 to 6.0 s); " +
			"in 1 of 3 trials it was never steady, and the warm-up took its maximum."}},
	} {
		if got := warmUps(echo(t, test.trials, test.change).Rows); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
