package analysis

import (
	"math/rand/v2"
	"testing"

	"rpcbench/internal/results/result"
	allocation "rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/record"
)

// BenchmarkTogether is of ten minutes of two clients that kept the histogram of every second.
func BenchmarkTogether(b *testing.B) {
	clients := alike(b, 2, 600)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Together(clients); err != nil {
			b.Fatal(err)
		}
	}
}

// alike returns clients with so many seconds of 500 calls each.
func alike(tb testing.TB, clients, seconds int) []result.Client {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]result.Client, clients)
	for i := range all {
		for second := range int64(seconds) {
			h := record.NewHistogram()
			for range 500 {
				put(tb, int64(random.ExpFloat64()*1e6), h)
			}
			addSecond(tb, &all[i].Record, h, (second+1)*1e9)
		}
		for n := range all[i].Intervals {
			all[i].Intervals[n].ResponseHistogram = ""
		}
	}
	return all
}

// A report of a day of two clients would take minutes more with each further time that their seconds are decoded, and with
// merged ones encoded again.
func TestASecondIsDecodedOnce(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	const seconds, decoded = 50, 420_000 // bytes: the counts of a histogram take 230,000
	clients := alike(t, 2, seconds)
	for name, all := range map[string]func() error{
		"the record": func() error { _, err := Together(clients); return err },
		"the windows": func() error {
			for _, err := range Windows(clients) {
				if err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			allocation.AtMost(t, decoded*uint64(len(clients))*seconds, func() {
				if err := all(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Trials are measured on all processors, and stay in the order of the file.
func TestManyTrialsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var trials []result.Trial
	for i := range 200 {
		trials = append(trials, trial(t, spec("tcp"), i+1, int64(i+1), 1000))
	}
	trials[17].Clients[0].Histograms[result.HistResponse] = "broken"
	report := build(t, file("a", trials...))
	if len(report.Warnings) != 1 {
		t.Errorf("warnings %q, want one of trial 18", report.Warnings)
	}
	row := onlyRow(t, report)
	if len(row.Trials) != 199 {
		t.Fatalf("%d trials, want 199", len(row.Trials))
	}
	for i, got := range row.Trials {
		want := i + 1
		if i >= 17 {
			want++
		}
		if got.Repetition != want || got.OK != int64(want) {
			t.Errorf("trial %d is repetition %d with %d calls", want, got.Repetition, got.OK)
		}
	}
}
