package analysis

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	allocation "rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/record"
)

// A shared phase is random calls of several clients, and what one client would have recorded of all of them.
type shared struct {
	clients []result.Client
	all     *hdrhistogram.Histogram
	seconds []*hdrhistogram.Histogram
}

// share has clients record seconds of calls, each of which ends up to 10 ms late by each client's own clock.
func share(t *testing.T, random *rand.Rand, clients, seconds int) shared {
	t.Helper()
	s := shared{clients: make([]result.Client, clients), all: record.NewHistogram()}
	for range seconds {
		s.seconds = append(s.seconds, record.NewHistogram())
	}
	for i := range s.clients {
		whole := record.NewHistogram()
		for n, sum := range s.seconds {
			second := record.NewHistogram()
			for range random.IntN(300) {
				put(t, int64(random.ExpFloat64()*float64(i+1)*1e6), second, whole, sum, s.all)
			}
			addSecond(t, &s.clients[i].Record, second, int64(n+1)*1e9+random.Int64N(10e6))
		}
		s.clients[i].Histograms = map[string]string{result.HistResponse: encoded(t, whole)}
		s.clients[i].Arrivals = whole.TotalCount()
		s.clients[i].Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: whole.TotalCount()}}
	}
	return s
}

func put(t testing.TB, ns int64, into ...*hdrhistogram.Histogram) {
	t.Helper()
	for _, h := range into {
		if err := h.RecordValue(ns); err != nil {
			t.Fatal(err)
		}
	}
}

func encoded(t testing.TB, h *hdrhistogram.Histogram) string {
	t.Helper()
	text, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// addSecond records ten intervals, the last of which has the responses, and a window of them.
func addSecond(t testing.TB, r *result.Record, h *hdrhistogram.Histogram, endNs int64) {
	t.Helper()
	begun := int64(0)
	if n := len(r.Intervals); n > 0 {
		begun = r.Intervals[n-1].EndNs
	}
	q, text := record.QuantilesOf(h), encoded(t, h)
	r.Windows = append(r.Windows, result.Window{StartNs: begun, EndNs: endNs, Response: text})
	for i := range int64(10) {
		interval := result.Interval{StartNs: begun + i*(endNs-begun)/10, EndNs: begun + (i+1)*(endNs-begun)/10, InFlight: 1}
		if i == 9 {
			interval.OK, interval.ResponseHistogram = h.TotalCount(), text
			interval.Response = &result.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
		}
		r.Intervals = append(r.Intervals, interval)
	}
	r.ElapsedNs = endNs
}

// Merged percentiles, of the phase and of each second, are those of one histogram that was fed with all samples.
func TestClientsTogetherAreOneThatMadeAllCalls(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		s := share(t, random, 2+random.IntN(4), 2+random.IntN(4))
		whole, err := Together(s.clients)
		if err != nil {
			t.Fatal(err)
		}
		merged, err := result.DecodeHistogram(whole.Histograms[result.HistResponse])
		if err != nil || !merged.Equals(s.all) {
			t.Fatalf("%v: %d samples of %d", err, merged.TotalCount(), s.all.TotalCount())
		}
		if got, want := record.QuantilesOf(merged), record.QuantilesOf(s.all); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		wantSeconds(t, whole, s)
		if calls := s.all.TotalCount(); whole.Arrivals != calls || len(whole.Outcomes) != 1 || whole.Outcomes[0].Calls != calls {
			t.Errorf("%d arrivals, outcomes %v, want %d", whole.Arrivals, whole.Outcomes, calls)
		}
	}
}

func wantSeconds(t *testing.T, whole result.Record, s shared) {
	t.Helper()
	n := 0
	end := int64(0)
	windows := merged(t, s.clients)
	for _, i := range whole.Intervals {
		if i.StartNs != end || i.InFlight != int64(len(s.clients)) {
			t.Errorf("interval %+v begins where the one before ended, at %d, with %d in flight?", i, end, len(s.clients))
		}
		end = i.EndNs
		if i.Response == nil {
			continue
		}
		q := record.QuantilesOf(s.seconds[n])
		want := &result.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
		if diff := cmp.Diff(want, i.Response); diff != "" || i.OK != q.Calls {
			t.Errorf("second %d has %d calls (-want +got):\n%s", n, i.OK, diff)
		}
		if window, err := result.DecodeHistogram(windows[n].Response); err != nil || !window.Equals(s.seconds[n]) {
			t.Errorf("window %d: %v", n, err)
		}
		n++
	}
	if n != len(s.seconds) || len(windows) != n || end != whole.ElapsedNs {
		t.Errorf("%d seconds and %d windows, want %d; the last interval ended at %d of %d ns",
			n, len(windows), len(s.seconds), end, whole.ElapsedNs)
	}
}

// merged are the windows of clients, as a results file has one client's.
func merged(t *testing.T, clients []result.Client) (windows []result.Window) {
	t.Helper()
	for w, err := range Windows(clients) {
		if err != nil {
			t.Fatal(err)
		}
		windows = append(windows, result.Window{StartNs: int64(w.Start), EndNs: int64(w.End), Response: encoded(t, w.Response)})
	}
	return windows
}

func TestOneClientsRecordIsTheWhole(t *testing.T) {
	t.Parallel()
	s := share(t, rand.New(rand.NewPCG(1, 2)), 1, 3)
	whole, err := Together(s.clients)
	if diff := cmp.Diff(s.clients[0].Windows, merged(t, s.clients)); diff != "" {
		t.Errorf("windows (-want +got):\n%s", diff)
	}
	s.clients[0].Windows = nil
	if diff := cmp.Diff(s.clients[0].Record, whole); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestCountsOfClientsAddUp(t *testing.T) {
	t.Parallel()
	stall := func(phase string, since int64) *result.Stalled { return &result.Stalled{Phase: phase, SinceNs: since} }
	first := &result.FirstCall{CallNs: 1}
	whole, err := Together([]result.Client{
		{Record: result.Record{
			ElapsedNs: 10, Arrivals: 3, MessagesOut: 1, MessagesIn: 2, PayloadOut: 3, PayloadIn: 4, Clamped: 5, UnpairedReplies: 6,
			Outcomes: []result.Outcome{{Code: "OK", Calls: 2}, {Code: "UNSENT", Calls: 1}}, First: first,
			Background: &result.Background{OK: 1}, Warmup: &result.Warmup{ElapsedNs: 7, Steady: new(true)},
			Stalled: stall(result.PhaseMeasured, 1),
		}},
		{Record: result.Record{
			ElapsedNs: 20, Arrivals: 4, MessagesOut: 10, MessagesIn: 20, PayloadOut: 30, PayloadIn: 40, Clamped: 50, UnpairedReplies: 60,
			Outcomes: []result.Outcome{{Code: "OK", Calls: 3}, {Code: "INTERNAL", Calls: 1, Example: "no"}}, First: &result.FirstCall{},
			Background: &result.Background{OK: 2, Errors: 3, Example: "no"}, Warmup: &result.Warmup{ElapsedNs: 5, Steady: new(false)},
			Stalled: stall(result.PhaseWarmup, 9),
		}},
	})
	want := result.Record{
		ElapsedNs: 20, Arrivals: 7, MessagesOut: 11, MessagesIn: 22, PayloadOut: 33, PayloadIn: 44, Clamped: 55, UnpairedReplies: 66,
		Outcomes: []result.Outcome{{Code: "OK", Calls: 5}, {Code: "UNSENT", Calls: 1}, {Code: "INTERNAL", Calls: 1, Example: "no"}},
		First:    first, Background: &result.Background{OK: 3, Errors: 3, Example: "no"},
		Warmup: &result.Warmup{ElapsedNs: 7, Steady: new(false)}, Stalled: stall(result.PhaseWarmup, 9),
		Histograms: map[string]string{},
	}
	if diff := cmp.Diff(want, whole); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestProcessesTogetherKnowWhatAllOfThemKnow(t *testing.T) {
	t.Parallel()
	sum := sides([]result.Side{
		{Runtime: "go", End: &result.Snapshot{TimeNs: 5, CPUUserNs: 10, BytesIn: new(int64(100)), GCCycles: new(int64(1))}},
		{Runtime: "go", End: &result.Snapshot{TimeNs: 9, CPUUserNs: 20, BytesIn: new(int64(200))}},
	})
	want := result.Side{Runtime: "go", End: &result.Snapshot{TimeNs: 5, CPUUserNs: 30, BytesIn: new(int64(300))}}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A client that makes half of its part of a rate is told by its name, where the others hide it in the whole.
func TestEachClientIsJudged(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("tcp"), 1, 0)
	one.Spec.Load, one.Spec.OfferedPerSec, one.Spec.Clients, one.Spec.Connections = plan.LoadConstant, 6400, 64, 64
	one.Spec.DurationNs = 10e9
	one.Clients = nil
	whole, half := even20us(t, 100), even20us(t, 50)
	for i := range 64 {
		client := whole
		if i == 1 {
			client = half
		}
		one.Clients = append(one.Clients, client)
	}
	findings := onlyRow(t, build(t, file("a", one))).Trials[0].Findings()
	want := []Finding{
		found(CodeRateShort, "client 2 of 64: 500 of the 1,000 calls that were due early enough to complete within 10.0 s did (50%%)"),
		found(CodeNotJudged, "63,500 calls in 10.0 s are too few to show whether the speed was steady: "+
			"it takes 20 points in time with 20 calls each, and there are 10. About 30.0 s would do"),
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// even20us is a client of ten seconds with so many calls of 20 µs in each.
func even20us(t *testing.T, calls int) (client result.Client) {
	t.Helper()
	each, all := record.NewHistogram(), record.NewHistogram()
	for range calls {
		put(t, 20_000, each)
	}
	for second := range int64(10) {
		addSecond(t, &client.Record, each, (second+1)*1e9)
		all.Merge(each)
	}
	for i := range client.Intervals {
		client.Intervals[i].InFlight = 0 // calls are short
	}
	text := encoded(t, all)
	client.Histograms = map[string]string{result.HistResponse: text, result.HistService: text}
	client.Arrivals = all.TotalCount()
	client.Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: all.TotalCount()}}
	return client
}

func TestSecondsWithoutHistogramsCannotBeMerged(t *testing.T) {
	t.Parallel()
	s := share(t, rand.New(rand.NewPCG(1, 2)), 2, 2)
	s.clients[1].Intervals[9].ResponseHistogram, s.clients[1].Windows = "", s.clients[1].Windows[1:]
	if _, err := Together(s.clients); err == nil || err.Error() != "an interval of one of several clients has no histogram" {
		t.Errorf("got %v", err)
	}
}

// Where every second is kept as a window, intervals do not repeat its histogram.
func TestSecondsThatAreWindowsAreMergedAsThose(t *testing.T) {
	t.Parallel()
	s := share(t, rand.New(rand.NewPCG(1, 2)), 3, 4)
	want, err := Together(s.clients)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.clients {
		for i := range c.Intervals {
			c.Intervals[i].ResponseHistogram = ""
		}
	}
	got, err := Together(s.clients)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A client that stood still has fewer intervals, and nothing of the others is lost in it. A worker keeps no window where it would
// be the only one, as of this client.
func TestAClientThatStoodStillLosesNothingOfTheOthers(t *testing.T) {
	t.Parallel()
	s := share(t, rand.New(rand.NewPCG(1, 2)), 2, 4)
	still := &s.clients[0].Record
	last := still.Intervals[len(still.Intervals)-1]
	last.StartNs = 0
	last.ResponseHistogram = still.Histograms[result.HistResponse]
	still.Intervals, still.Windows = []result.Interval{last}, nil
	whole, err := Together(s.clients)
	windows := merged(t, s.clients)
	if err != nil || len(whole.Intervals) != 1 || len(windows) != 1 {
		t.Fatalf("%v, %d intervals, %d windows, want 1 of each", err, len(whole.Intervals), len(windows))
	}
	calls := s.all.TotalCount() - still.Arrivals + last.OK
	got := whole.Intervals[0]
	if got.OK != calls || got.Response.Calls != s.all.TotalCount() || got.EndNs != whole.ElapsedNs || got.InFlight != 2 {
		t.Errorf("%+v, want %d calls within %d ns", got, calls, whole.ElapsedNs)
	}
	if h, err := result.DecodeHistogram(windows[0].Response); err != nil || !h.Equals(s.all) || windows[0].EndNs != got.EndNs {
		t.Errorf("%v: a window until %d ns, want all calls until %d", err, windows[0].EndNs, got.EndNs)
	}
}

// A client that stood still for 2 s in the middle joins the others' intervals and seconds of that time, and no other.
func TestAClientThatStoodStillForAWhile(t *testing.T) {
	t.Parallel()
	calls := func(n int) *hdrhistogram.Histogram {
		h := record.NewHistogram()
		for range n {
			put(t, 1000, h)
		}
		return h
	}
	clients := make([]result.Client, 2)
	for second := range int64(5) {
		addSecond(t, &clients[0].Record, calls(10), (second+1)*1e9)
	}
	for _, second := range []struct{ end, calls int64 }{{1e9, 1}, {3e9, 2}, {4e9, 3}, {5e9, 4}} {
		addSecond(t, &clients[1].Record, calls(int(second.calls)), second.end)
	}
	r := &clients[1].Record // its ten intervals of 1 to 3 s are one
	r.Intervals[19].StartNs = 1e9
	r.Intervals = slices.Delete(r.Intervals, 10, 19)
	whole, err := Together(clients)
	if err != nil {
		t.Fatal(err)
	}
	wantCalls(t, whole.Intervals, map[int64]int64{1e9: 11, 3e9: 22, 4e9: 13, 5e9: 14})
	if n := len(whole.Intervals); n != 31 {
		t.Errorf("%d intervals, want 10 of each of three seconds and one of 2 s", n)
	}
}

// wantCalls checks the numbers of calls of seconds, and of the intervals in which they end.
func wantCalls(t *testing.T, intervals []result.Interval, byEnd map[int64]int64) {
	t.Helper()
	got := map[int64]int64{}
	for _, i := range intervals {
		if i.Response != nil {
			got[i.EndNs] = i.Response.Calls
		}
		if i.OK != byEnd[i.EndNs] {
			t.Errorf("the interval until %d ns has %d calls, want %d", i.EndNs, i.OK, byEnd[i.EndNs])
		}
	}
	if diff := cmp.Diff(byEnd, got); diff != "" {
		t.Errorf("calls of seconds by their ends (-want +got):\n%s", diff)
	}
}

// The load of one client is over before that of another: what the other did then is in the seconds in which it did it.
func TestAClientThatEndsEarlyLeavesTheSecondsOfTheOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seconds int // of the client that ends early
		kept    bool
	}{
		"after 2 s": {2, true},
		"after 1 s": {1, false}, // a worker keeps no window where it would be the only one
	} {
		clients := make([]result.Client, 2)
		early, long := &clients[0].Record, &clients[1].Record
		each := record.NewHistogram()
		put(t, 1000, each, each)
		for second := range int64(5) {
			addSecond(t, long, each, (second+1)*1e9)
			if second < int64(c.seconds) {
				addSecond(t, early, each, (second+1)*1e9)
			}
		}
		for _, r := range []*result.Record{early, long} { // a last interval and second, which the phase has cut short
			addSecond(t, r, record.NewHistogram(), r.ElapsedNs+10)
		}
		if !c.kept {
			early.Windows, early.ElapsedNs = nil, 1e9
			early.Histograms = map[string]string{result.HistResponse: encoded(t, each)}
		}
		whole, err := Together(clients)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int64]int64{5e9 + 10: 0}
		for second := range int64(5) {
			want[(second+1)*1e9] = 2
			if second < int64(c.seconds) {
				want[(second+1)*1e9] = 4
			}
		}
		wantCalls(t, whole.Intervals, want)
		for _, w := range merged(t, clients) {
			if h, err := result.DecodeHistogram(w.Response); err != nil || h.TotalCount() != want[w.EndNs] {
				t.Errorf("%s: %v: the window until %d ns has %d calls, want %d", name, err, w.EndNs, h.TotalCount(), want[w.EndNs])
			}
			delete(want, w.EndNs)
		}
		if len(want) > 0 {
			t.Errorf("%s: no windows until %v", name, want)
		}
	}
}

// Where the load of a client is over first, that there is less load then is no change of speed.
func TestAClientThatEndsEarlyIsNoChangeOfSpeed(t *testing.T) {
	t.Parallel()
	m := several(t, func(r *result.Trial) {
		r.Clients[0].WindowNs = 2e9
		long := &r.Clients[1]
		long.WindowNs, long.ElapsedNs, long.Intervals = 4e9, 4e9, even(4e9, 8000)
	}, []int64{4000, 8000}, 1e6)
	if found := notStationary(m, m.trial); found != nil {
		t.Errorf("%+v, want none", found)
	}
	if due := m.trial.WhileDue(); due[len(due)-1].EndNs != 4e9 {
		t.Errorf("calls were due until %d ns, want 4 s", due[len(due)-1].EndNs)
	}
}

// Decoded, a second takes 270 kB, and all of these 270 MB.
func TestTheSecondsOfALongLoadAreNotDecodedAtOnce(t *testing.T) { //nolint:paralleltest // it looks at the heap
	const seconds = 500
	second := histogram(t, 1000, 2000, 3000)
	clients := make([]result.Client, 2)
	for i := range clients {
		r := &clients[i].Record
		for n := range int64(seconds) {
			r.Windows = append(r.Windows, result.Window{StartNs: n * 1e9, EndNs: (n + 1) * 1e9, Response: second})
			r.Intervals = append(r.Intervals, result.Interval{StartNs: n * 1e9, EndNs: (n + 1) * 1e9, Response: &result.Quantiles{}})
		}
	}
	line := &plan.Schedule{Name: "line", Stages: []plan.Stage{{From: 0, To: 40, LengthNs: seconds * 1e9}}}
	changing := &Trial{Trial: &result.Trial{Spec: plan.Spec{Schedule: line, DurationNs: seconds * 1e9}, Clients: clients}}
	var whole result.Record
	windows := 0
	var stretches []record.Window
	var err, alongErr error
	grew := allocation.Growth(func() {
		whole, err = Together(clients)
		stretches, alongErr = stretched(changing)
		for range Windows(clients) {
			windows++
		}
	})
	if err != nil || alongErr != nil || windows != seconds || len(stretches) != 16 {
		t.Fatalf("%v, %v: %d windows and %d stretches, want %d and 16", err, alongErr, windows, len(stretches), seconds)
	}
	if response := whole.Intervals[seconds-1].Response; response == nil || response.Calls != 6 {
		t.Errorf("the last second is %+v, want 6 calls", response)
	}
	if most := uint64(120 << 20); grew > most {
		t.Errorf("the heap grew by %d MB, %d at most", grew>>20, most>>20)
	}
}
