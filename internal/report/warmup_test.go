package report

import (
	"slices"
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

func TestWhatCompilersTookIsSummedUpInALine(t *testing.T) {
	t.Parallel()
	lasted := []int64{4_010e6, 30_000e6, 6_300e6}
	warmed := func(closed bool, quiet ...bool) func(*result.Trial) {
		return func(t *result.Trial) {
			t.Compilers = &result.Compilers{ElapsedNs: lasted[t.Repetition-1], Closed: closed, Quiet: quiet[t.Repetition-1]}
		}
	}
	reusing := func(t *result.Trial) {
		warmed(false, true, true, true)(t)
		t.Compilers.ElapsedNs = lasted[0]
		if t.Repetition > 1 {
			t.ProcessesOf = "1"
		}
	}
	unquiet := func(t *result.Trial) {
		reusing(t)
		t.Compilers.Quiet = t.Repetition != 2
	}
	const begin = "Just-in-time compilers were warmed up before the warm-up until they were quiet, for "
	for name, test := range map[string]struct {
		trials int
		change func(*result.Trial)
		want   []string
	}{
		"none":  {1, func(*result.Trial) {}, nil},
		"quiet": {1, warmed(false, true), []string{begin + "4.0 s (median; 4.0 to 4.0 s)."}},
		"reused": {2, reusing, []string{begin + "4.0 s (median; 4.0 to 4.0 s); 1 later trial went on in " +
			"the same processes."}},
		"reused, and not always quiet": {3, unquiet, []string{begin + "4.0 s (median; 4.0 to 4.0 s); 2 later trials went on in " +
			"the same processes, 1 of them with compilers that were not quiet under its load in the time for it."}},
		"harder, and not always": {3, warmed(true, true, false, true), []string{begin + "6.3 s (median; 4.0 to 30.0 s); in 3 " +
			"trials first by loads with more calls than the measured one; in 1 of 3 trials they were still busy when the time for " +
			"it was over."}},
	} {
		if got := compilerWarmUps(reporttest.Echo(t, test.trials, test.change).Rows); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestWarmUpsUntilSteadyAreSummedUpInALine(t *testing.T) {
	t.Parallel()
	lasted := []int64{2_010e6, 6_000e6, 2_300e6}
	steady := []bool{true, false, true}
	until := func(t *result.Trial) {
		t.Clients[0].Warmup = &result.Warmup{ElapsedNs: lasted[t.Repetition-1], Steady: &steady[t.Repetition-1]}
	}
	again := func(t *result.Trial) {
		until(t)
		t.Clients[0].Warmup.Prolonged = t.Repetition - 1
	}
	for name, test := range map[string]struct {
		trials int
		change func(*result.Trial)
		want   []string
	}{
		"again": {3, again, []string{"Warm-ups ended when the load was steady, after 2.3 s (median; 2.0 to 6.0 s); in 1 of 3 trials " +
			"it was never steady, and the warm-up took its maximum; in 2 of 3 trials calls still became faster in the measured phase, " +
			"which was added to the warm-up and repeated."}},
		"fixed": {3, func(t *result.Trial) { t.Clients[0].Warmup = &result.Warmup{ElapsedNs: 1e9} }, nil},
		"none":  {1, func(*result.Trial) {}, nil},
		"steady": {1, until,
			[]string{"Warm-ups ended when the load was steady, after 2.0 s (median; 2.0 to 2.0 s)."}},
		"not always": {3, until, []string{"Warm-ups ended when the load was steady, after 2.3 s (median; 2.0 to 6.0 s); " +
			"in 1 of 3 trials it was never steady, and the warm-up took its maximum."}},
	} {
		if got := warmUps(reporttest.Echo(t, test.trials, test.change).Rows); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
