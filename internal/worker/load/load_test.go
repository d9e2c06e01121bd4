package load_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/load"
)

const (
	second = time.Second
	ms     = time.Millisecond
)

// A ledger is a Sink that keeps everything.
type ledger struct {
	mu      sync.Mutex
	samples []load.Sample
}

func (l *ledger) Record(_ int, s *load.Sample) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 1 + s.More {
		l.samples = append(l.samples, *s)
	}
}

func (l *ledger) count(which func(load.Sample) bool) int {
	n := 0
	for _, s := range l.samples {
		if which(s) {
			n++
		}
	}
	return n
}

func fate(f load.Fate) func(load.Sample) bool {
	return func(s load.Sample) bool { return s.Fate == f }
}

// callerFunc is a Caller without an After.
type callerFunc func(ctx context.Context) error

func (f callerFunc) Call(ctx context.Context) error { return f(ctx) }
func (f callerFunc) After() error                   { return nil }

// takes returns a Caller whose server answers after d, or when the context ends.
func takes(d time.Duration) callerFunc {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// frozen returns a Caller of a server that answers after service, except that nothing is answered in [from, to).
func frozen(start time.Time, service, from, to time.Duration) callerFunc {
	return func(ctx context.Context) error {
		done := time.Since(start) + service
		if done >= from && done < to {
			done = to
		}
		return takes(done - time.Since(start))(ctx)
	}
}

// run runs one phase and checks the invariant: every arrival has exactly one sample.
func run(t *testing.T, r *virtualPool, schedule load.Schedule, drain time.Duration) (*ledger, load.Tally) {
	t.Helper()
	l := &ledger{}
	p, err := r.Begin(schedule, drain, l)
	if err != nil {
		t.Fatal(err)
	}
	tally := p.Run(context.Background())
	if tally.Arrivals != int64(len(l.samples)) {
		t.Errorf("%d arrivals, %d samples", tally.Arrivals, len(l.samples))
	}
	return l, tally
}

func constant(perSec float64, d time.Duration) load.Schedule {
	return load.Schedule{PerSec: perSec, Limit: load.Limit{Duration: d}}
}

// 200 calls/s for 6 s; from 2 s on the server is frozen for 1 s. The calls due in that second, and the one that the
// freeze catches, feel it, however many slots there are: call k of the freeze waits for its rest.
func TestAFrozenServerIsFeltByAllCallsDueMeanwhile(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{1, 10, 1000} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(slots, frozen(time.Now(), ms, 2*second, 3*second))
			defer r.Close()
			l, tally := run(t, r, constant(200, 6*second), 10*second)
			if tally.Arrivals != 1200 || l.count(fate(load.Answered)) != 1200 {
				t.Errorf("%d slots: %d arrivals, %d answered, want 1200 of both", slots, tally.Arrivals, l.count(fate(load.Answered)))
			}
			slow := l.count(func(s load.Sample) bool { return s.Done-s.Due > 100*ms })
			// Call k of the freeze is due at 2 s + 5k ms and done at 3 s + ⌊k/slots⌋ ms, in batches of one per slot; it
			// took over 100 ms when 5k − ⌊k/slots⌋ < 900.
			if want := map[int]int{1: 225, 10: 184, 1000: 180}[slots]; slow != want {
				t.Errorf("%d slots: %d calls took over 100 ms, want %d", slots, slow, want)
			}
			longest := slices.MaxFunc(l.samples, func(a, b load.Sample) int { return int(a.Done - a.Due - b.Done + b.Due) })
			if got := longest.Done - longest.Due; got != second {
				t.Errorf("%d slots: the longest response took %v, want 1 s", slots, got)
			}
		})
	}
}

// With one slot, service time shows the freeze once; response time shows it for every call.
func TestServiceTimeHidesWhatResponseTimeShows(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, frozen(time.Now(), ms, 2*second, 3*second))
		defer r.Close()
		l, _ := run(t, r, constant(200, 6*second), 10*second)
		service := l.count(func(s load.Sample) bool { return s.Done-s.Sent > 100*ms })
		response := l.count(func(s load.Sample) bool { return s.Done-s.Due > 100*ms })
		if service != 1 || response < 180 {
			t.Errorf("service time over 100 ms: %d, response time: %d; want 1 and at least 180", service, response)
		}
	})
}

func TestLateCallsAreQueueWhenNoSlotWasFree(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, takes(10*ms))
		defer r.Close()
		l, _ := run(t, r, constant(200, second), 10*second)
		for i, s := range l.samples {
			// Call i is due at 5i ms and sent when the i calls before it are done, at 10i ms.
			want := time.Duration(i) * 5 * ms
			if s.Queue != want || s.Wake != 0 {
				t.Fatalf("call %d: queue %v, wake %v; want %v and 0", i, s.Queue, s.Wake, want)
			}
		}
	})
}

// lateWaiter oversleeps every wait.
type lateWaiter struct {
	load.SleepWaiter
	by time.Duration
}

func (w lateWaiter) Wait(d time.Duration) { time.Sleep(d + w.by) }

func TestLateCallsAreWakeWhenASlotWasFree(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.with([]load.Caller{takes(0), takes(0), takes(0)}, lateWaiter{by: 300 * time.Microsecond}, second)
		defer r.Close()
		l, _ := run(t, r, constant(500, second), second)
		for i, s := range l.samples[1:] { // the first is due at once
			if s.Wake != 300*time.Microsecond || s.Queue != 0 {
				t.Fatalf("call %d: wake %v, queue %v; want 300µs and 0", i+1, s.Wake, s.Queue)
			}
		}
	})
}

func TestArrivalsAreTheSumOfOutcomesAtTwiceTheCapacity(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{1, 10, 1000} {
		virtually(t, func(t *testing.T, by kind) {
			service := time.Duration(slots) * 10 * ms // 100 calls/s for all slots together
			r := by.pool(slots, takes(service))
			defer r.Close()
			l, tally := run(t, r, constant(200, 4*second), second)
			answered, unsent, unfinished := l.count(fate(load.Answered)), l.count(fate(load.Unsent)), l.count(fate(load.Unfinished))
			if tally.Arrivals != 800 || answered+unsent+unfinished != 800 {
				t.Errorf("%d slots: %d arrivals = %d answered + %d unsent + %d unfinished, want 800",
					slots, tally.Arrivals, answered, unsent, unfinished)
			}
			if slots == 1 && (answered != 499 && answered != 500 || unfinished != 1 && unfinished != 0) {
				t.Errorf("1 slot: %d answered, %d unfinished in 5 s at 100/s", answered, unfinished)
			}
			if slots == 1000 && unfinished != 800 {
				t.Errorf("1000 slots of 10 s each: %d unfinished after 5 s, want 800", unfinished)
			}
		})
	}
}

// What was never sent waits at least until the drain ends.
func TestUnsentCallsHaveALowerBound(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, takes(5*second))
		defer r.Close()
		l, _ := run(t, r, constant(10, second), 2*second)
		for _, s := range l.samples {
			if s.Done != 3*second {
				t.Errorf("%+v given up at %v, want 3s", s, s.Done)
			}
		}
		if unsent := l.count(fate(load.Unsent)); unsent != 9 || len(l.samples) != 10 {
			t.Errorf("%d unsent of %d, want 9 of 10", unsent, len(l.samples))
		}
	})
}

func TestTheRateDoesNotDependOnSlots(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{1, 10, 40} {
		for _, poisson := range []bool{false, true} {
			virtually(t, func(t *testing.T, by kind) {
				r := by.pool(slots, takes(ms))
				defer r.Close()
				schedule := constant(100, 100*second)
				schedule.Poisson, schedule.Seed = poisson, 7
				_, tally := run(t, r, schedule, second)
				want := int64(10000)
				if poisson {
					want = 10093 // of this seed; 10,000 ± 100 are expected
				}
				if tally.Arrivals != want {
					t.Errorf("%d slots, poisson %t: %d arrivals in 100 s at 100/s, want %d", slots, poisson, tally.Arrivals, want)
				}
			})
		}
	}
}

// closed calls of 10 ms in 10 slots for 1 s: 100 calls a slot, none begun at 1 s.
func TestAClosedLoadKeepsEverySlotBusy(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(10, takes(10*ms))
		defer r.Close()
		l, tally := run(t, r, load.Schedule{Limit: load.Limit{Duration: second}}, second)
		if tally.Arrivals != 1000 || tally.Elapsed != second {
			t.Errorf("%d calls in %v, want 1000 in 1s", tally.Arrivals, tally.Elapsed)
		}
		if off := l.count(func(s load.Sample) bool { return s.Due != s.Sent || s.Wake != 0 || s.Queue != 0 }); off != 0 {
			t.Errorf("%d calls of a closed load have a lag", off)
		}
	})
}

func TestANumberOfCallsIsExact(t *testing.T) {
	t.Parallel()
	for _, schedule := range []load.Schedule{
		{Limit: load.Limit{Calls: 137}},
		{PerSec: 1000, Limit: load.Limit{Calls: 137}},
		{PerSec: 1000, Poisson: true, Limit: load.Limit{Calls: 137}},
	} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(10, takes(3*ms))
			defer r.Close()
			l, tally := run(t, r, schedule, second)
			if tally.Arrivals != 137 || l.count(fate(load.Answered)) != 137 {
				t.Errorf("%+v: %d arrivals, %d answered, want 137", schedule, tally.Arrivals, l.count(fate(load.Answered)))
			}
		})
	}
}

func TestStopEndsTheScheduleAndDrains(t *testing.T) {
	t.Parallel()
	for _, perSec := range []float64{0, 100} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(1, takes(20*ms))
			defer r.Close()
			l := &ledger{}
			p, err := r.Begin(load.Schedule{PerSec: perSec}, 10*second, l)
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(999*ms, func() { p.Stop(); p.Stop() })
			tally := p.Run(context.Background())
			want := int64(50) // closed: one every 20 ms; open: 100 are due, and all are made late
			if perSec > 0 {
				want = 100
			}
			if tally.Arrivals != want || l.count(fate(load.Answered)) != int(want) {
				t.Errorf("at %v/s: %d arrivals, %d answered, want %d", perSec, tally.Arrivals, l.count(fate(load.Answered)), want)
			}
		})
	}
}

func TestADeadlineCancelsTheCallAndTheSlotGoesOn(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		calls := 0
		r := by.of([]load.Caller{callerFunc(func(ctx context.Context) error {
			calls++
			if calls == 3 {
				return takes(time.Hour)(ctx)
			}
			return takes(10 * ms)(ctx)
		})}, 500*ms)
		defer r.Close()
		l, _ := run(t, r, load.Schedule{Limit: load.Limit{Calls: 5}}, second)
		for i, s := range l.samples {
			took := s.Done - s.Sent
			if i == 2 && (!errors.Is(s.Err, load.ErrDeadline) || took < 500*ms || took > 550*ms) {
				t.Errorf("call 3: %v after %v, want the deadline within 500 to 550 ms", s.Err, took)
			}
			if i != 2 && (s.Err != nil || took != 10*ms) {
				t.Errorf("call %d: %v after %v", i+1, s.Err, took)
			}
		}
	})
}

// To look at all slots takes as long as several calls where there are many. The clock is read for each look.
func TestNobodyLooksForLateCallsWhereNoneCanBe(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(2, takes(9*second)) // of ten
		defer r.Close()
		run(t, r, load.Schedule{Limit: load.Limit{Calls: 2}}, second)
		if reads := r.reads.Load(); reads > 20 {
			t.Errorf("the clock was read %d times for two calls", reads)
		}
	})
}

// A call that is in flight when the oldest one ends at its deadline has its own.
func TestEveryCallHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.of([]load.Caller{takes(time.Hour), takes(time.Hour), takes(time.Hour)}, second)
		defer r.Close()
		l, _ := run(t, r, load.Schedule{PerSec: 10, Limit: load.Limit{Calls: 3}}, 2*second) // at 0, 100 and 200 ms
		for i, s := range l.samples {
			if took := s.Done - s.Sent; !errors.Is(s.Err, load.ErrDeadline) || took < second || took > 1050*ms {
				t.Errorf("call %d: %v after %v, want the deadline within 1 to 1.05 s", i, s.Err, took)
			}
		}
	})
}

func TestCallsInFlightAreThoseThatAreSentAndNotDone(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(4, takes(1500*ms))
		defer r.Close()
		phase, err := r.Begin(constant(1, 3*second), 2*second, &ledger{}) // sent at 0, 1 and 2 s, done at 1.5, 2.5 and 3.5 s
		if err != nil {
			t.Fatal(err)
		}
		looked := make(chan []int64)
		go func() {
			var seen []int64
			for time.Sleep(750 * ms); len(seen) < 7; time.Sleep(500 * ms) {
				seen = append(seen, r.InFlight())
			}
			looked <- seen
		}()
		phase.Run(context.Background())
		seen := <-looked
		if want := []int64{1, 2, 1, 2, 1, 1, 0}; !slices.Equal(seen, want) {
			t.Errorf("%v calls in flight, want %v", seen, want)
		}
	})
}

func TestErrorsOfCallAndAfterAreSamples(t *testing.T) {
	t.Parallel()
	refused, wrong := errors.New("refused"), errors.New("wrong reply")
	virtually(t, func(t *testing.T, by kind) {
		r := by.of([]load.Caller{&failing{call: refused, after: wrong}, &failing{after: wrong}}, second)
		defer r.Close()
		l, _ := run(t, r, load.Schedule{Limit: load.Limit{Calls: 2}}, second)
		seen := []error{l.samples[0].Err, l.samples[1].Err}
		if !slices.Contains(seen, refused) || !slices.Contains(seen, wrong) {
			t.Errorf("errors %v, want the one of Call before the one of After", seen)
		}
	})
}

type failing struct{ call, after error }

func (f *failing) Call(context.Context) error { time.Sleep(ms); return f.call }
func (f *failing) After() error               { return f.after }

// A call that ignores its canceled context can't hold up the phase, and its slot is refused from then on.
func TestACallThatNeverReturnsIsGivenUp(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		release := make(chan struct{})
		r := by.of([]load.Caller{callerFunc(func(context.Context) error { <-release; return nil })}, second)
		defer r.Close()
		begun := time.Now()
		l, tally := run(t, r, constant(10, second), second)
		if took := time.Since(begun); took != 7*second {
			t.Errorf("the phase took %v, want 1 s + 1 s drain + 5 s grace", took)
		}
		if tally.Arrivals != 10 || l.count(fate(load.Unfinished)) != 1 || l.count(fate(load.Unsent)) != 9 {
			t.Errorf("%d arrivals, %d unfinished", tally.Arrivals, l.count(fate(load.Unfinished)))
		}
		if _, err := r.Begin(constant(10, second), second, l); err == nil {
			t.Error("a pool with a lost slot began another phase")
		}
		close(release)
	})
}

// Whoever is canceled may be slow to hear of it, on a machine with more to do: its slot makes the calls of the next phase.
func TestASlotWhoseCancelledCallReturnsSecondsLaterIsNotLost(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.of([]load.Caller{callerFunc(func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(5 * second)
			return ctx.Err()
		})}, second)
		defer r.Close()
		for phase := range 2 {
			begun := time.Now()
			l, _ := run(t, r, constant(10, second), second)
			late := l.count(func(s load.Sample) bool { return errors.Is(s.Err, load.ErrDeadline) })
			if unsent := l.count(fate(load.Unsent)); late != 1 || unsent != 9 {
				t.Errorf("phase %d: %d late, %d unsent; want 1, 9", phase, late, unsent)
			}
			if took := time.Since(begun); took > 7*second {
				t.Errorf("phase %d took %v", phase, took)
			}
		}
	})
}

// hangingAfter answers, and never finishes what is done after an answer.
type hangingAfter struct{ release chan struct{} }

func (h hangingAfter) Call(context.Context) error { return nil }
func (h hangingAfter) After() error               { <-h.release; return nil }

func TestACallWhoseAfterNeverReturnsIsCounted(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		hanging := hangingAfter{make(chan struct{})}
		r := by.of([]load.Caller{hanging}, second)
		defer r.Close()
		l, tally := run(t, r, constant(10, second), second)
		if tally.Arrivals != 10 || l.count(fate(load.Unfinished)) != 1 || l.count(fate(load.Unsent)) != 9 {
			t.Errorf("%d arrivals, %d unfinished, %d unsent; want 10, 1, 9",
				tally.Arrivals, l.count(fate(load.Unfinished)), l.count(fate(load.Unsent)))
		}
		close(hanging.release)
	})
}

func TestAnEndedContextCutsThePhaseOff(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(2, takes(10*second))
		defer r.Close()
		l := &ledger{}
		p, err := r.Begin(constant(10, 5*second), 10*second, l)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 1050*ms)
		defer cancel()
		tally := p.Run(ctx)
		if tally.Arrivals != 11 || l.count(fate(load.Unfinished)) != 2 || l.count(fate(load.Unsent)) != 9 {
			t.Errorf("%d arrivals, %d unfinished, %d unsent; want 11, 2, 9",
				tally.Arrivals, l.count(fate(load.Unfinished)), l.count(fate(load.Unsent)))
		}
	})
}

// Streams hang on a slot's context, so it must outlive the phase.
func TestAContextLivesOnFromPhaseToPhase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		by := kind{name: "callers"}
		var seen []context.Context
		r := by.of([]load.Caller{callerFunc(func(ctx context.Context) error {
			seen = append(seen, ctx)
			time.Sleep(ms)
			return nil
		})}, second)
		defer r.Close()
		run(t, r, load.Schedule{Limit: load.Limit{Calls: 2}}, second)
		run(t, r, load.Schedule{Limit: load.Limit{Calls: 2}}, second)
		for _, ctx := range seen {
			if ctx != seen[0] || ctx.Err() != nil {
				t.Fatal("the context changed or ended between calls")
			}
		}
	})
}

// A call that the deadline has canceled keeps that reason, though it returns after the drain's end only.
func TestTheFirstReasonOfACancellationCounts(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.of([]load.Caller{callerFunc(func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(500 * ms)
			return ctx.Err()
		})}, 100*ms)
		defer r.Close()
		l, _ := run(t, r, load.Schedule{Limit: load.Limit{Duration: 50 * ms}}, 200*ms)
		if len(l.samples) != 1 || !errors.Is(l.samples[0].Err, load.ErrDeadline) || l.samples[0].Fate != load.Answered {
			t.Errorf("samples %+v, want one past its deadline", l.samples)
		}
	})
}

// waiting is an error that says what its call was waiting for.
type waiting struct{ error }

func (waiting) WaitedFor() string { return "a lift" }

// A call that is canceled fails for the reason of that, and says what it waited for if its error knows.
func TestACancelledCallSaysWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		for _, c := range []struct {
			deadline, drain time.Duration
			knows           bool
			fate            load.Fate
			says            string
		}{
			{100 * ms, second, true, load.Answered, "the deadline passed while the call waited for a lift"},
			{100 * ms, second, false, load.Answered, "the deadline passed"},
			{10 * second, second, true, load.Unfinished, "the drain ended while the call waited for a lift"},
			{10 * second, second, false, load.Unfinished, ""},
		} {
			r := by.of([]load.Caller{callerFunc(func(ctx context.Context) error {
				<-ctx.Done()
				if c.knows {
					return waiting{ctx.Err()}
				}
				return ctx.Err()
			})}, c.deadline)
			l, _ := run(t, r, load.Schedule{Limit: load.Limit{Duration: 50 * ms}}, c.drain)
			r.Close()
			if len(l.samples) != 1 || l.samples[0].Fate != c.fate {
				t.Fatalf("%+v: samples %+v", c, l.samples)
			}
			err, said := l.samples[0].Err, ""
			if err != nil {
				said = err.Error()
			}
			if said != c.says || c.fate == load.Answered && !errors.Is(err, load.ErrDeadline) {
				t.Errorf("%q, want %q", said, c.says)
			}
		}
	})
}
