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
		if err := c.sofar.add(want.done, c.latency(), 1); err != nil {
			t.Fatal(err)
		}
		if h := c.sofar.latencies; h.TotalCount() != 1 || !equal(h, h.Max(), want.max) {
			t.Errorf("%s: %d samples up to %d ns, want 1 of %d ns", load, h.TotalCount(), h.Max(), want.max)
		}
	}
	c := &client{load: &control.Load{Arrivals: "poisson"}}
	c.reset()
	for range 2 {
		if err := c.sofar.add(open, c.latency(), 1); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.sofar.results; len(r) != 2 || r[0] != 2 || r[14] != 6 || c.sofar.elapsed != 4e9 {
		t.Errorf("results %v in %v", r, c.sofar.elapsed)
	}
}

func equal(h *hdrhistogram.Histogram, a, b int64) bool { return h.ValuesAreEquivalent(a, b) }

// Drivers count the messages of a stream, of which each took its part.
func TestAStreamIsToldAsItsMessages(t *testing.T) {
	t.Parallel()
	c := &client{load: &control.Load{Arrivals: "closed"}}
	c.reset()
	done := &control.Done{
		Histograms: []*control.Histogram{histogram(t, "response", 10_000, 10_000, 50_000)},
		Outcomes:   []*control.Outcome{{Code: "OK", Calls: 3}},
	}
	if err := c.sofar.add(done, c.latency(), 10); err != nil {
		t.Fatal(err)
	}
	h := c.sofar.latencies
	if h.TotalCount() != 30 || !equal(h, h.ValueAtQuantile(50), 1000) || h.Max() < 4990 || h.Max() > 5010 ||
		c.sofar.results[0] != 3 {
		t.Errorf("%d messages, p50 %d, up to %d ns, results %v", h.TotalCount(), h.ValueAtQuantile(50), h.Max(), c.sofar.results)
	}
}

// Bare bytes are a message of protobuf as long.
func TestAMessageHasAnyLengthButOne(t *testing.T) {
	t.Parallel()
	for n := range 20_000 {
		encoded, possible := messageOf(n)
		if possible != (n != 1) || possible && len(encoded) != n {
			t.Errorf("of %d bytes there is one of %d, %v", n, len(encoded), possible)
		}
	}
	for _, n := range []int{2_097_152, 2_097_155, 2_097_158, 2_097_160, 67_108_864} {
		if encoded, _ := messageOf(n); len(encoded) != n {
			t.Errorf("of %d bytes there is one of %d", n, len(encoded))
		}
	}
}
