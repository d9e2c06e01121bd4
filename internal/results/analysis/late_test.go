package analysis

import (
	"slices"
	"testing"

	"rpcbench/internal/results/result"
)

// 1,000 calls/s are 1 ms apart. Calls of 100 ms have the same figures if they are sent 2 ms late, but the server gets them in
// bunches.
func TestCallsThatAreSentInBunchesAreSeen(t *testing.T) {
	t.Parallel()
	sent := func(lateNs int64) result.Trial {
		one := open(t)
		one.Clients[0].Histograms[result.HistResponse] = histogram(t, 100e6+lateNs)
		one.Clients[0].Histograms[result.HistService] = histogram(t, 100e6)
		one.Clients[0].Histograms[result.HistWake] = histogram(t, lateNs)
		return one
	}
	for late, want := range map[int64]bool{900_000: false, 2_000_000: true, 20_000_000: false} { // the last has a verdict
		row := onlyRow(t, build(t, file("a", sent(late))))
		b, ok := row.Bunches()
		if ok != want || ok && (b.Trials != 1 || b.GapNs != 1e6 || b.LateNs < 2e6 || b.LateNs > 2.01e6) {
			t.Errorf("%d ns late: %+v, %v; %v", late, b, ok, row.Doubts())
		}
	}
	second, third := sent(100), sent(100)
	second.Repetition, third.Repetition = 2, 3
	if b, ok := onlyRow(t, build(t, file("a", sent(2e6), second, third))).Bunches(); ok {
		t.Errorf("one trial of three: %+v", b)
	}
	if b, ok := onlyRow(t, build(t, file("a", closed(t)))).Bunches(); ok {
		t.Errorf("a closed load: %+v", b)
	}
}

func TestPercentilesOfTooFewCallsAreNamed(t *testing.T) {
	t.Parallel()
	of := func(repetition, calls int) result.Trial {
		return trial(t, spec("grpc-go"), repetition, int64(calls), slices.Repeat([]int64{1000}, calls)...)
	}
	for _, c := range []struct {
		trials []result.Trial
		want   []Metric
	}{
		{[]result.Trial{of(1, 36_887)}, nil},
		{[]result.Trial{of(1, 36_886)}, []Metric{ResponseP9999Ns, ResponseP9999OfAll}},
		{[]result.Trial{of(1, 3688)}, []Metric{ResponseP9999Ns, ResponseP9999OfAll}},
		{[]result.Trial{of(1, 3687)}, []Metric{ResponseP999Ns, ResponseP999OfAll, ResponseP9999Ns, ResponseP9999OfAll}},
		{[]result.Trial{of(1, 367), of(2, 40_000)}, []Metric{
			ResponseP99Ns, ResponseP999Ns, ResponseP99OfAll, ResponseP999OfAll, ResponseP9999Ns, ResponseP9999OfAll,
		}},
		{[]result.Trial{of(1, 367), of(2, 40_000), of(3, 40_000)}, nil},
	} {
		if got := onlyRow(t, build(t, file("a", c.trials...))).TooFewCallsFor(); !slices.Equal(got, c.want) {
			t.Errorf("%d trials: %v, want %v", len(c.trials), got, c.want)
		}
	}
}
