package record_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

const us = time.Microsecond

func recorder(open bool) *record.Recorder {
	return record.New(record.Config{Shards: 4, Open: open, Windows: 20, Codes: 3, Code: func(err error) int {
		if err.Error() == "refused" {
			return 1
		}
		return 2
	}})
}

func took(due, sent, done time.Duration) *load.Sample {
	return &load.Sample{Due: due, Sent: sent, Done: done, Queue: (sent - due) / 4, Wake: (sent - due) * 3 / 4}
}

func TestEveryLatencyHasItsHistogram(t *testing.T) {
	t.Parallel()
	r := recorder(true)
	for slot := range 100 {
		r.Record(slot, took(0, 400*us, time.Duration(slot+1)*1000*us))
	}
	r.EndWindow(time.Second)
	s := r.Summary()
	for name, want := range map[string][2]int64{ // p50 and p99 in ns, within the bucket's width
		"response": {50_000_000, 99_000_000},
		"service":  {49_600_000, 98_600_000},
		"wake":     {300_000, 300_000},
		"queue":    {100_000, 100_000},
	} {
		got := [2]int64{record.Quantile(s.Histograms[name], .5), record.Quantile(s.Histograms[name], .99)}
		for i := range want {
			if got[i] < want[i] || float64(got[i]) > 1.001*float64(want[i]) {
				t.Errorf("%s: quantiles %v, want %v to 3 digits", name, got, want)
			}
		}
	}
}

func TestAClosedLoadHasOneLatency(t *testing.T) {
	t.Parallel()
	r := recorder(false)
	r.Record(0, &load.Sample{Done: us})
	r.EndWindow(time.Second)
	if s := r.Summary(); len(s.Histograms) != 1 || s.Histograms["response"].TotalCount() != 1 {
		t.Errorf("histograms %v, want a response only", s.Histograms)
	}
}

func TestFailuresAreCountedByCodeWithTheirLatency(t *testing.T) {
	t.Parallel()
	r := recorder(true)
	r.Record(0, took(0, 0, us))
	for range 3 {
		r.Record(1, &load.Sample{Done: 7 * us, Err: errors.New("refused")})
	}
	r.Record(2, &load.Sample{Done: 9 * us, Err: errors.New("broken")})
	r.EndWindow(time.Second)
	s := r.Summary()
	want := []record.Outcome{{Code: 0, Calls: 1}, {Code: 1, Calls: 3, Example: "refused"}, {Code: 2, Calls: 1, Example: "broken"}}
	if diff := cmp.Diff(want, s.Outcomes); diff != "" {
		t.Error(diff)
	}
	if n := s.Histograms["response"].TotalCount(); n != 1 {
		t.Errorf("%d responses, want the OK call alone", n)
	}
	if e := s.Histograms["error"]; e.TotalCount() != 4 || record.Quantile(e, .5) < 7000 || record.Quantile(e, .5) > 7010 {
		t.Errorf("errors: n %d, p50 %d ns, want 4 and 7000", e.TotalCount(), record.Quantile(e, .5))
	}
}

func TestWhatWasNeverAnsweredIsABoundInTheResponse(t *testing.T) {
	t.Parallel()
	r := recorder(true)
	r.Record(0, &load.Sample{Due: 0, Done: 3 * time.Second, Fate: load.Unsent})
	r.Record(1, &load.Sample{Due: time.Second, Sent: time.Second, Done: 3 * time.Second, Fate: load.Unfinished})
	r.EndWindow(time.Second)
	s := r.Summary()
	if s.Unsent != 1 || s.Unfinished != 1 || len(s.Outcomes) != 0 {
		t.Errorf("unsent %d, unfinished %d, outcomes %v", s.Unsent, s.Unfinished, s.Outcomes)
	}
	if n := s.Histograms["response"].TotalCount(); n != 2 {
		t.Errorf("%d responses, want both", n)
	}
	if b := s.Histograms["bound"]; b.TotalCount() != 2 || !b.ValuesAreEquivalent(b.Min(), int64(2*time.Second)) {
		t.Errorf("%d bounds from %d ns, want both", b.TotalCount(), b.Min())
	}
	if n := s.Histograms["service"].TotalCount(); n != 0 {
		t.Errorf("%d service times, want none", n)
	}
}

func TestSamplesBeyondAnHourAreClampedAndCounted(t *testing.T) {
	t.Parallel()
	r := recorder(false)
	r.Record(0, &load.Sample{Done: 2 * time.Hour})
	r.EndWindow(time.Second)
	s := r.Summary()
	if s.Clamped != 1 {
		t.Errorf("%d clamped, want 1", s.Clamped)
	}
	if top := record.Quantile(s.Histograms["response"], 1); top < int64(time.Hour) || top > int64(time.Hour)*1001/1000 {
		t.Errorf("max %d, want 1 h", top)
	}
}

func TestTickCountsSinceTheLastTick(t *testing.T) {
	t.Parallel()
	r := recorder(false)
	r.Record(0, &load.Sample{Done: us})
	r.Record(3, &load.Sample{Done: us, Err: errors.New("refused")})
	first := r.Tick()
	r.Record(1, &load.Sample{Done: us})
	r.Record(2, &load.Sample{Done: us, Fate: load.Unsent})
	second := r.Tick()
	for _, got := range []record.Counts{first, second} {
		if got.OK != 1 || got.Errors != 1 || got.ResponseMean() != us {
			t.Errorf("%v then %v, want one of each twice, and a mean of 1 µs", first, second)
		}
	}
}

func TestATickHasTheGeometricMeanOfItsResponses(t *testing.T) {
	t.Parallel()
	r := recorder(false)
	r.Record(0, took(0, 0, us))
	r.Record(1, took(0, 0, 100*us))
	r.Record(2, &load.Sample{Due: 0, Done: time.Second, Fate: load.Unsent})
	if got := r.Tick().ResponseMean(); got != 10*us {
		t.Errorf("of 1 µs and 100 µs: %v", got)
	}
	r.Record(0, took(us, us, us))
	r.Record(0, took(0, 0, 400))
	if got := r.Tick().ResponseMean(); got != 20 {
		t.Errorf("of 0 and 400 ns: %v", got)
	}
	if got := r.Tick().ResponseMean(); got != 0 {
		t.Errorf("of none: %v", got)
	}
}

// 50 windows of one call each into at most 20: nothing is lost, and the parts are in order, of one length, without a gap.
func TestWindowsMergeWithTheirNeighbours(t *testing.T) {
	t.Parallel()
	r := recorder(false)
	for i := range 50 {
		r.Record(i, &load.Sample{Done: us})
		if q := record.QuantilesOf(r.EndWindow(time.Duration(i+1) * time.Second)); q.Calls != 1 {
			t.Fatalf("window %d has %d calls, want 1", i, q.Calls)
		}
	}
	r.EndWindow(50 * time.Second)
	s := r.Summary()
	if len(s.Windows) > 20 {
		t.Errorf("%d windows, at most 20 were asked for", len(s.Windows))
	}
	calls, at := int64(0), time.Duration(0)
	for i, w := range s.Windows {
		if i < len(s.Windows)-1 && w.End-w.Start != 4*time.Second {
			t.Errorf("window %v–%v: want 4 s, as all have", w.Start, w.End)
		}
		if w.Start != at || w.Response.TotalCount() != int64((w.End-w.Start)/time.Second) {
			t.Errorf("window %v–%v holds %d calls after %v", w.Start, w.End, w.Response.TotalCount(), at)
		}
		calls, at = calls+w.Response.TotalCount(), w.End
	}
	if calls != 50 || s.Histograms["response"].TotalCount() != 50 {
		t.Errorf("%d calls in the windows, %d in all, want 50", calls, s.Histograms["response"].TotalCount())
	}
}

// A step that spans several windows is merged into one, and so are neighboring steps if there are more than are kept. A phase of
// any length is reported second by second if no window is kept: only the sum remains.
func TestWithoutWindowsNothingIsKeptOfASecond(t *testing.T) {
	r := record.New(record.Config{Shards: 1, Codes: 1, Edges: []time.Duration{3 * time.Second}})
	second := func(i int) {
		r.Record(0, took(0, 0, us))
		if n := r.EndWindow(time.Duration(i) * time.Second).TotalCount(); n != 1 {
			t.Fatalf("second %d has %d calls, want 1", i, n)
		}
	}
	allocated.AtMost(t, 100_000, func() {
		for i := range 1000 {
			second(i + 1)
		}
	})
	s := r.Summary()
	if n := s.Histograms["response"].TotalCount(); len(s.Windows) != 0 || n != 1000 {
		t.Errorf("%d windows, %d calls in all; want none, 1000", len(s.Windows), n)
	}
}

func TestWindowsBeginWhereTheLoadChanges(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, c := range map[string]struct {
		windows int
		edges   []time.Duration
		ends    []time.Duration // of the windows as they come
		want    []time.Duration // ends of those that are kept
	}{
		"few steps": {4, []time.Duration{2 * s, 5 * s}, []time.Duration{s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s, 7 * s, 8 * s},
			[]time.Duration{2 * s, 5 * s, 8 * s}},
		"many steps": {2, []time.Duration{2 * s, 4 * s, 6 * s, 8 * s},
			[]time.Duration{s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s, 7 * s, 8 * s, 9 * s},
			[]time.Duration{8 * s, 9 * s}},
		"twice as many steps as are kept": {2, []time.Duration{2 * s, 4 * s, 6 * s}, []time.Duration{2 * s, 4 * s, 5 * s, 6 * s, 7 * s},
			[]time.Duration{4 * s, 7 * s}},
		"an edge that came late": {4, []time.Duration{2 * s}, []time.Duration{s, 2*s + 300*us, 3 * s},
			[]time.Duration{2*s + 300*us, 3 * s}},
	} {
		r := record.New(record.Config{Shards: 1, Windows: c.windows, Edges: c.edges, Codes: 1})
		for _, end := range c.ends {
			r.Record(0, &load.Sample{Done: us})
			r.EndWindow(end)
		}
		var got []time.Duration
		calls, at := int64(0), time.Duration(0)
		for _, w := range r.Summary().Windows {
			if w.Start != at {
				t.Errorf("%s: a window begins at %v, the one before ended at %v", name, w.Start, at)
			}
			got, calls, at = append(got, w.End), calls+w.Response.TotalCount(), w.End
		}
		if !slices.Equal(got, c.want) || calls != int64(len(c.ends)) {
			t.Errorf("%s: windows end at %v with %d calls, want %v with %d", name, got, calls, c.want, len(c.ends))
		}
	}
}

func TestNothingIsLostBetweenRecordAndEndWindow(t *testing.T) {
	t.Parallel()
	r := recorder(true)
	var slots sync.WaitGroup
	for slot := range 8 {
		slots.Go(func() {
			for i := range 10_000 {
				r.Record(slot, took(0, us, time.Duration(i)*us))
			}
		})
	}
	done := make(chan struct{})
	go func() { slots.Wait(); close(done) }()
	var seen, ticks int64
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		seen += r.EndWindow(time.Second).TotalCount()
		ticks += r.Tick().OK
	}
	r.EndWindow(time.Second)
	s := r.Summary()
	ticks += r.Tick().OK
	if seen != 80_000 || ticks != 80_000 || s.Outcomes[0].Calls != 80_000 || s.Histograms["queue"].TotalCount() != 80_000 {
		t.Errorf("windows %d, ticks %d, outcomes %d, queue %d; want 80,000 of each",
			seen, ticks, s.Outcomes[0].Calls, s.Histograms["queue"].TotalCount())
	}
}

func TestEncodeAndDecodeAreInverse(t *testing.T) {
	t.Parallel()
	h := record.NewHistogram()
	for i := range int64(1000) {
		_ = h.RecordValue(i * i * 1000)
	}
	data, err := record.Encode(h)
	if err != nil {
		t.Fatal(err)
	}
	back, err := record.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h.Export().Counts, back.Export().Counts); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkRecord(b *testing.B) {
	for _, open := range []bool{false, true} {
		b.Run(fmt.Sprintf("open=%t", open), func(b *testing.B) {
			r := recorder(open)
			s := took(0, 40*us, 140*us)
			b.ReportAllocs()
			for b.Loop() {
				s.Done += 100
				if s.Done > 300*us {
					s.Done = 140 * us
				}
				r.Record(3, s)
			}
		})
	}
}

// BenchmarkEncode encodes a second of 5,000 calls, as --intervals full does, and reports the size.
func BenchmarkEncode(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	h := record.NewHistogram()
	for range 5000 {
		if err := h.RecordValue(int64(300e3 * math.Exp(random.NormFloat64()/2))); err != nil {
			b.Fatal(err)
		}
	}
	var encoded []byte
	for b.Loop() {
		var err error
		if encoded, err = record.Encode(h); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(encoded)), "B/histogram")
}
