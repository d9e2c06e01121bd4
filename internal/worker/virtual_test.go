package worker

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// In virtual time nothing but calls takes time, so that what is reported of them, and when, is known exactly.

const ms = time.Millisecond

// takes is a Caller whose calls take so long.
type takes time.Duration

func (d takes) Call(context.Context) error { time.Sleep(time.Duration(d)); return nil }
func (d takes) After() error               { return nil }

// inVirtualTime makes a pool of slots for equal calls.
func inVirtualTime(slots int, caller load.Caller) *load.SlotPool {
	begun := time.Now()
	return load.NewSlotPool(load.Config{
		Callers: slices.Repeat([]load.Caller{caller}, slots), Now: func() time.Duration { return time.Since(begun) },
		Waiter: load.SleepWaiter{}, Deadline: time.Minute,
	})
}

// connected starts a worker that has a client, and returns the driver's session with it.
func connected(t *testing.T, slots int, cl *client) *control.Session {
	t.Helper()
	in, commands := io.Pipe()
	events, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cl.connect = &control.Connect{Connections: 1, InFlight: uint32(slots)}
	if cl.parts == nil {
		cl.parts = []*part{{call: cl.call}}
	}
	w := &worker{ctx: ctx, events: control.NewEventWriter(out), wire: &wire{}, client: cl}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer out.Close()
		defer w.end(cancel)
		_ = w.events.Write(hello(nil))
		for reader := control.NewCommandReader(in); ; {
			command, err := reader.Read()
			if err != nil {
				return
			}
			_ = w.obey(command)
		}
	}()
	t.Cleanup(func() {
		commands.Close()
		<-ended
	})
	s, err := control.Open(t.Context(), commands, events)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// measured runs a closed phase to its end.
func measured(
	t *testing.T, s *control.Session, length time.Duration, stages ...*control.Stage,
) (*control.Done, []*control.Interval) {
	t.Helper()
	var intervals []*control.Interval
	done, err := s.Begin(t.Context(), &control.Begin{
		Phase: control.Measured, DurationNs: int64(length), DrainNs: int64(time.Second), Windows: 20,
		Load: &control.Load{Arrivals: "closed", Stages: stages},
	}, func(i *control.Interval) { intervals = append(intervals, i) })
	if err != nil {
		t.Fatal(err)
	}
	return done, intervals
}

// ends are when intervals ended; each must begin where the one before ended.
func ends(t *testing.T, intervals []*control.Interval) (at []time.Duration) {
	t.Helper()
	last := int64(0)
	for _, i := range intervals {
		if i.GetStartNs() != last {
			t.Errorf("an interval begins at %v, where the one before ended at %v", i.GetStartNs(), last)
		}
		last = i.GetEndNs()
		at = append(at, time.Duration(last))
	}
	return at
}

func TestIntervalsComeTenTimesASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		done, intervals := measured(t, connected(t, 1, &client{pool: inVirtualTime(1, takes(13*ms))}), 2500*ms)
		var want, quantiles []time.Duration
		for i := range 25 {
			want = append(want, time.Duration(i+1)*100*ms)
		}
		want = append(want, 2509*ms) // the last call, the 193rd, begins at 2,496 ms
		if got := ends(t, intervals); !slices.Equal(got, want) {
			t.Errorf("intervals end at %v, want %v", got, want)
		}
		var ok, calls int64
		for _, i := range intervals {
			if ok += i.GetOk(); i.GetResponse() != nil {
				quantiles = append(quantiles, time.Duration(i.GetEndNs()))
				calls += i.GetResponse().GetCalls()
			}
		}
		if want := []time.Duration{1000 * ms, 2000 * ms, 2509 * ms}; !slices.Equal(quantiles, want) {
			t.Errorf("quantiles come at %v, want %v", quantiles, want)
		}
		if done.GetArrivals() != 193 || ok != 193 || calls != 193 {
			t.Errorf("%d arrivals, %d calls in intervals, %d in quantiles; want 193", done.GetArrivals(), ok, calls)
		}
	})
}

// Two calls in flight for 150 ms, then four: the windows part where the stages do, and so do the intervals.
func TestAStageIsAWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, 6, &client{pool: inVirtualTime(6, takes(7*ms))})
		done, intervals := measured(t, s, 300*ms,
			&control.Stage{From: 2, To: 2, LengthNs: int64(150 * ms)}, &control.Stage{From: 4, To: 4, LengthNs: int64(150 * ms)})
		// The last two calls begin at 297 ms: the slots of the second stage begin theirs 150 ms and a multiple of 7 ms late.
		if got, want := ends(t, intervals), []time.Duration{100 * ms, 150 * ms, 250 * ms, 304 * ms}; !slices.Equal(got, want) {
			t.Fatalf("intervals end at %v, want %v", got, want)
		}
		for i, want := range map[int]int64{0: 2, 2: 4, 3: 0} {
			if got := intervals[i].GetInFlight(); got != want {
				t.Errorf("%d calls in flight at the end of interval %d, want %d", got, i, want)
			}
		}
		var windows []time.Duration
		for _, w := range done.GetWindows() {
			windows = append(windows, time.Duration(w.GetStartNs()), time.Duration(w.GetEndNs()))
		}
		if want := []time.Duration{0, 150 * ms, 150 * ms, 304 * ms}; !slices.Equal(windows, want) {
			t.Errorf("windows begin and end at %v, want %v", windows, want)
		}
		// Two slots make 43 calls each, 21 of which end in the first stage, the two others 22.
		for i, want := range map[int]int64{1: 42, 3: 88} {
			if got := intervals[i].GetResponse().GetCalls(); got != want {
				t.Errorf("%d calls in the window up to interval %d, want %d", got, i, want)
			}
		}
	})
}

// failing is a Caller none of whose calls is OK.
type failing struct{ takes }

func (f failing) Call(ctx context.Context) error {
	_ = f.takes.Call(ctx)
	return errors.New("not today")
}

// A background goes on from phase to phase, and each counts its own calls.
func TestABackgroundIsCountedInEachPhase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		caller     load.Caller
		ok, errors int64
		example    string
	}{{takes(70 * ms), 8, 0, ""}, {failing{takes(70 * ms)}, 0, 8, "not today"}} {
		synctest.Test(t, func(t *testing.T) {
			s := connected(t, 1, &client{
				pool: inVirtualTime(1, takes(10*ms)), beside: &background{pool: inVirtualTime(2, c.caller)},
			})
			for phase := range 2 { // of 300 ms: two slots end calls at 70, 140, … 280, and at 350, 420, … 560 ms
				done, _ := measured(t, s, 300*ms)
				b := done.GetBackground()
				if done.GetArrivals() != 30 || b.GetOk() != c.ok || b.GetErrors() != c.errors || b.GetExample() != c.example {
					t.Errorf("phase %d: %d calls, background %v; want 30, %d OK and %d not", phase, done.GetArrivals(), b, c.ok, c.errors)
				}
			}
		})
	}
}

// A phase that is put off counts its times from its begin.
func TestAPhaseBeginsAfterItsDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, 1, &client{pool: inVirtualTime(1, takes(13*ms))})
		var intervals []*control.Interval
		sent := time.Now()
		done, err := s.Begin(t.Context(), &control.Begin{
			Phase: control.Measured, DurationNs: int64(250 * ms), DelayNs: int64(5 * time.Second),
			Load: &control.Load{Arrivals: "closed"},
		}, func(i *control.Interval) { intervals = append(intervals, i) })
		if err != nil {
			t.Fatal(err)
		}
		if got, want := ends(t, intervals), []time.Duration{100 * ms, 200 * ms, 260 * ms}; !slices.Equal(got, want) {
			t.Errorf("intervals end at %v, want %v", got, want)
		}
		if took := time.Since(sent); took != 5260*ms || done.GetArrivals() != 20 || done.GetElapsedNs() != int64(260*ms) {
			t.Errorf("%d calls in %v, %v after the command", done.GetArrivals(), time.Duration(done.GetElapsedNs()), took)
		}
	})
}

func TestAPhaseCanBeStoppedBeforeItBegins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, 1, &client{pool: inVirtualTime(1, takes(13*ms))})
		time.AfterFunc(time.Second, func() { _ = s.Stop(t.Context()) })
		sent := time.Now()
		done, err := s.Begin(t.Context(), &control.Begin{
			Phase: control.Warmup, DurationNs: int64(time.Hour), DelayNs: int64(time.Minute),
			Load: &control.Load{Arrivals: "closed"},
		}, func(*control.Interval) {})
		if err != nil || done.GetArrivals() != 0 || time.Since(sent) != time.Second {
			t.Errorf("%v, %v, %v after the command", done, err, time.Since(sent))
		}
	})
}

// A long phase at 5,000/s is sent second by second, in events of a bounded size, no two of them further apart than an
// interval, and nothing of it is kept: not even 1 kB a second, as the histograms have when they are encoded.
func TestALongPhaseIsSentAsItGoes(t *testing.T) {
	const ticks, perTick, maxEventBytes, maxGrowth = 6000, 500, 16 << 10, 128 << 10
	synctest.Test(t, func(t *testing.T) {
		sent := &sizes{last: time.Now()}
		recorder := record.New(record.Config{Shards: 1, Codes: 1})
		reports := &reporter{
			worker:   &worker{events: control.NewEventWriter(sent), client: &client{pool: inVirtualTime(1, takes(ms))}},
			recorder: recorder, begun: time.Now(), histograms: true,
		}
		random := rand.New(rand.NewPCG(1, 0))
		samples := make([]load.Sample, perTick)
		for i := range samples {
			samples[i].Done = time.Duration(3e5 * math.Exp(0.5*random.NormFloat64()))
		}
		var early uint64
		for tick := range ticks {
			time.Sleep(intervalLength)
			for i := range samples {
				recorder.Record(0, &samples[i])
			}
			reports.tick(false)
			if tick == ticks/10 {
				early = heldBytes()
			}
		}
		if grown := int64(heldBytes()) - int64(early); grown > maxGrowth {
			t.Errorf("%d bytes were kept of 9 minutes, want %d at most", grown, maxGrowth)
		}
		if sent.events != ticks || sent.longest > maxEventBytes || sent.furthest != intervalLength {
			t.Errorf("%d events, the longest %d bytes, the furthest %v after the one before; want %d, %d at most, %v",
				sent.events, sent.longest, sent.furthest, ticks, maxEventBytes, intervalLength)
		}
		summary := recorder.Summary()
		if n := summary.Histograms["response"].TotalCount(); n != ticks*perTick || len(summary.Windows) != 0 {
			t.Errorf("%d calls, %d windows", n, len(summary.Windows))
		}
	})
}

// sizes notes what is written, and when.
type sizes struct {
	events, longest int
	last            time.Time
	furthest        time.Duration
}

func (s *sizes) Write(p []byte) (int, error) {
	now := time.Now()
	if now != s.last { // otherwise it is the rest of the event
		s.furthest = max(s.furthest, now.Sub(s.last))
		s.events++
	}
	s.longest, s.last = max(s.longest, len(p)), now
	return len(p), nil
}

// heldBytes is what the heap holds, garbage not included.
func heldBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// The histograms of a phase's intervals are those of its quantiles, and together the phase's.
func TestIntervalsHaveHistogramsWhereAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := connected(t, 1, &client{pool: inVirtualTime(1, takes(13*ms))})
		all := record.NewHistogram()
		done, err := s.Begin(t.Context(), &control.Begin{
			Phase: control.Measured, DurationNs: int64(2500 * ms), IntervalHistograms: true,
			Load: &control.Load{Arrivals: "closed"},
		}, func(i *control.Interval) {
			if i.GetResponse() == nil {
				if i.GetResponseHistogram() != nil {
					t.Errorf("the interval up to %d ns has a histogram and no quantiles", i.GetEndNs())
				}
				return
			}
			h, err := record.Decode(i.GetResponseHistogram())
			if err != nil {
				t.Error(err)
				return
			}
			q := record.QuantilesOf(h)
			want := &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
			if !proto.Equal(want, i.GetResponse()) || q.Calls == 0 {
				t.Errorf("up to %d ns quantiles are %v, and those of the histogram %v", i.GetEndNs(), i.GetResponse(), want)
			}
			all.Merge(h)
		})
		if err != nil {
			t.Fatal(err)
		}
		if response, err := record.Decode(done.GetHistograms()[0].GetV2Compressed()); err != nil || !response.Equals(all) {
			t.Errorf("%v: the intervals have %d calls, the phase %d", err, all.TotalCount(), done.GetArrivals())
		}
	})
}
