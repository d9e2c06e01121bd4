package load_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/worker/load"
)

// A roll keeps which slot's Caller was called when.
type roll struct {
	start time.Time
	mu    sync.Mutex
	calls []rollCall
}

type rollCall struct {
	slot         int
	begun, ended time.Duration
}

// pool makes a pool of so many slots, whose calls take d and are kept.
func (l *roll) pool(by kind, slots int, d time.Duration) *virtualPool {
	l.start = time.Now()
	callers := make([]load.Caller, slots)
	for i := range callers {
		callers[i] = callerFunc(func(ctx context.Context) error {
			begun := time.Since(l.start)
			err := takes(d)(ctx)
			l.mu.Lock()
			defer l.mu.Unlock()
			l.calls = append(l.calls, rollCall{i, begun, time.Since(l.start)})
			return err
		})
	}
	return by.of(callers, 10*second)
}

// at returns the slots whose calls were in flight.
func (l *roll) at(when time.Duration) []int {
	var slots []int
	for _, c := range l.calls {
		if c.begun <= when && when < c.ended {
			slots = append(slots, c.slot)
		}
	}
	slices.Sort(slots)
	return slots
}

func firsts(n int) []int {
	var slots []int
	for i := range n {
		slots = append(slots, i)
	}
	return slots
}

// Two slots, then four, then one, with calls of 30 ms: slots 0 and 1 begin 34 calls in the first second. In the next they
// begin 33, at multiples of 30 ms, and slots 2 and 3 begin 34, the first at once. Slot 0 begins the last 33.
func TestStepsOfCallsInFlightAreKeptExactly(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		var l roll
		r := l.pool(by, 6, 30*ms)
		defer r.Close()
		samples, tally := run(t, r, load.Schedule{Limit: load.Limit{Duration: 3 * second}, Stages: []load.Stage{
			{From: 2, To: 2, Length: second}, {From: 4, To: 4, Length: second}, {From: 1, To: 1, Length: second},
		}}, second)
		if want := 2*34 + 2*33 + 2*34 + 33; tally.Arrivals != int64(want) || len(l.calls) != want {
			t.Errorf("%d arrivals, %d calls, want %d", tally.Arrivals, len(l.calls), want)
		}
		for when, want := range map[time.Duration]int{
			0: 2, 999 * ms: 2, 1000 * ms: 4, 1999 * ms: 4, 2021 * ms: 1, 2999 * ms: 1,
		} {
			if got := l.at(when); !slices.Equal(got, firsts(want)) {
				t.Errorf("at %v slots %v have calls in flight, want the first %d", when, got, want)
			}
		}
		if off := samples.count(func(s load.Sample) bool { return s.Due != s.Sent || s.Wake != 0 || s.Queue != 0 }); off != 0 {
			t.Errorf("%d calls of a closed load have a lag", off)
		}
	})
}

func TestALineOfCallsInFlightGoesUpAndDown(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		var l roll
		r := l.pool(by, 10, 7*ms)
		defer r.Close()
		run(t, r, load.Schedule{Limit: load.Limit{Duration: 25 * second}, Stages: []load.Stage{
			{From: 0, To: 10, Length: 10 * second}, {From: 10, To: 0, Length: 10 * second},
		}}, second)
		for s := range 25 {
			want := max(0, 10-max(s-10, 10-s))
			if got := l.at(time.Duration(s) * second); !slices.Equal(got, firsts(want)) {
				t.Errorf("at %d s slots %v have calls in flight, want the first %d", s, got, want)
			}
		}
	})
}

// A ramp that is cut short, by its duration, by Stop or by the end of the run, keeps nobody waiting.
func TestARampThatIsCutShortLetsIdleSlotsGo(t *testing.T) {
	t.Parallel()
	stages := []load.Stage{{From: 2, To: 10, Length: 80 * second}} // a third slot from 5 s on
	for name, cut := range map[string]struct {
		limit load.Limit
		run   func(*load.Phase) load.Tally
	}{
		"duration": {load.Limit{Duration: second}, func(p *load.Phase) load.Tally { return p.Run(context.Background()) }},
		"Stop": {load.Limit{}, func(p *load.Phase) load.Tally {
			time.AfterFunc(second, p.Stop)
			return p.Run(context.Background())
		}},
		"the run": {load.Limit{Duration: 80 * second}, func(p *load.Phase) load.Tally {
			ctx, cancel := context.WithTimeout(context.Background(), second)
			defer cancel()
			return p.Run(ctx)
		}},
	} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(10, takes(30*ms))
			defer r.Close()
			begun := time.Now()
			p, err := r.Begin(load.Schedule{Stages: stages, Limit: cut.limit}, second, &ledger{})
			if err != nil {
				t.Fatal(err)
			}
			if tally := cut.run(p); tally.Arrivals != 68 {
				t.Errorf("%s: %d calls, want 68", name, tally.Arrivals)
			}
			if took := time.Since(begun); took > second+30*ms {
				t.Errorf("%s: it took %v, want 1 s and the last calls", name, took)
			}
			_, tally := run(t, r, load.Schedule{Limit: load.Limit{Duration: second}}, second)
			if tally.Arrivals != 340 {
				t.Errorf("%s: the phase after it made %d calls, want 340 of ten slots", name, tally.Arrivals)
			}
		})
	}
}
