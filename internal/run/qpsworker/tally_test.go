package qpsworker

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

func histogram(t *testing.T, name string, ns ...int64) *control.Histogram {
	t.Helper()
	h := record.NewHistogram()
	for _, n := range ns {
		if err := h.RecordValue(n); err != nil {
			t.Fatal(err)
		}
	}
	data, err := record.Encode(h)
	if err != nil {
		t.Fatal(err)
	}
	return &control.Histogram{Name: name, V2Compressed: data}
}

// Of an open load the response has lower bounds of calls that were never sent, which no driver expects among latencies.
func TestLatenciesCountFromTheCallsOwnBegin(t *testing.T) {
	t.Parallel()
	open := &control.Done{
		ElapsedNs:  2e9,
		Histograms: []*control.Histogram{histogram(t, "response", 5000, 9e9), histogram(t, "service", 1000)},
		Outcomes:   []*control.Outcome{{Code: "OK", Calls: 1}, {Code: "UNSENT", Calls: 1}, {Code: "UNAVAILABLE", Calls: 3}},
	}
	closed := &control.Done{Histograms: []*control.Histogram{histogram(t, "response", 5000)}}
	for load, want := range map[string]struct {
		done *control.Done
		max  int64
	}{"poisson": {open, 1000}, "closed": {closed, 5000}} {
		c := &client{load: &control.Load{Arrivals: load}}
		c.reset()
		if err := c.sofar.add(want.done, c.latency()); err != nil {
			t.Fatal(err)
		}
		if h := c.sofar.latencies; h.TotalCount() != 1 || !equal(h, h.Max(), want.max) {
			t.Errorf("%s: %d samples up to %d ns, want 1 of %d ns", load, h.TotalCount(), h.Max(), want.max)
		}
	}
	c := &client{load: &control.Load{Arrivals: "poisson"}}
	c.reset()
	for range 2 {
		if err := c.sofar.add(open, c.latency()); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.sofar.results; len(r) != 2 || r[0] != 2 || r[14] != 6 || c.sofar.elapsed != 4e9 {
		t.Errorf("results %v in %v", r, c.sofar.elapsed)
	}
}

func equal(h *hdrhistogram.Histogram, a, b int64) bool { return h.ValuesAreEquivalent(a, b) }
