package load_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"rpcbench/internal/worker/load"
)

// hanging is a server that answers after 10 ms, but for the call that is sent at a moment: that one takes 6 s.
func hanging(at time.Duration) callerFunc {
	start := time.Now()
	return func(ctx context.Context) error {
		if time.Since(start) == at {
			return takes(6 * second)(ctx)
		}
		return takes(10 * ms)(ctx)
	}
}

func TestTheWindowEndsWhenNoMoreCallsAreDue(t *testing.T) {
	t.Parallel()
	limited := func(s load.Schedule, duration time.Duration, calls int64) load.Schedule {
		s.Limit = load.Limit{Duration: duration, Calls: calls}
		return s
	}
	hundred, closed := load.Schedule{PerSec: 100}, load.Schedule{}
	for name, c := range map[string]struct {
		schedule load.Schedule
		hangs    time.Duration // the call that is sent then
		want     load.Tally
	}{
		"a rate for a time": {
			limited(hundred, second, 0), 500 * ms,
			load.Tally{Arrivals: 100, Elapsed: 6500 * ms, Window: second, Late: 1},
		},
		"a rate for a number of calls": {
			limited(hundred, 0, 200), 500 * ms,
			load.Tally{Arrivals: 200, Elapsed: 6500 * ms, Window: 2 * second, Late: 1},
		},
		"few calls at a rate": {
			limited(load.Schedule{PerSec: 1}, 0, 3), -1,
			load.Tally{Arrivals: 3, Elapsed: 2010 * ms, Window: 3 * second},
		},
		"part of a rate for a number of calls": {
			load.Schedule{PerSec: 100, Limit: load.Limit{Calls: 200}, Part: load.Part{Index: 1, Of: 2}}, -1,
			load.Tally{Arrivals: 100, Elapsed: 2 * second, Window: 2 * second},
		},
		"closed for a time": { // the slots are free at 1 s for the last time
			limited(closed, second, 0), -1,
			load.Tally{Arrivals: 400, Elapsed: second, Window: second},
		},
		"closed for a number of calls": {
			limited(closed, 0, 400), -1,
			load.Tally{Arrivals: 400, Elapsed: second, Window: second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			virtually(t, func(t *testing.T, by kind) {
				r := by.pool(4, hanging(c.hangs))
				defer r.Close()
				if _, got := run(t, r, c.schedule, 10*second); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// Of four slots with 400 calls one makes its first take 6 s. The others make 133 each in 1.33 s: 300 calls/s, and the fourth
// adds a sixth of a call per second.
func TestASlotThatHangsDoesNotDivideTheRateOfTheOthers(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		callers := []load.Caller{takes(6 * second), takes(10 * ms), takes(10 * ms), takes(10 * ms)}
		r := by.of(callers, 10*second)
		defer r.Close()
		_, got := run(t, r, load.Schedule{Limit: load.Limit{Calls: 400}}, 10*second)
		perSec := 300 + 1./6
		want := time.Duration(400 / perSec * float64(second))
		if got.Elapsed != 6*second || (got.Window-want).Abs() > time.Microsecond || got.Late != 0 {
			t.Errorf("%+v, want a window of %v", got, want)
		}
	})
}

func TestAStopEndsTheWindow(t *testing.T) {
	t.Parallel()
	for _, schedule := range []load.Schedule{
		{PerSec: 100}, {PerSec: 100, Limit: load.Limit{Calls: 1000}}, {PerSec: 100, Limit: load.Limit{Calls: 1e15}},
		{}, {Limit: load.Limit{Calls: 1000}},
	} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(1, takes(100*ms))
			defer r.Close()
			p, err := r.Begin(schedule, 500*ms, &ledger{})
			if err != nil {
				t.Fatal(err)
			}
			var told []int
			p.OnLate(func(slot, _ int) { told = append(told, slot) })
			time.AfterFunc(150*ms, p.Stop)
			got := p.Run(t.Context())
			late := int64(1)
			if schedule.Open() {
				late = 5 // calls are due at every 10 ms, and five of them are answered in the drain
			}
			if got.Window != 150*ms || got.Late != late || !slices.Equal(told, make([]int, late)) {
				t.Errorf("%+v: %+v, told of slots %v", schedule, got, told)
			}
		})
	}
}

// Three slots are late, each with its last call: it is told by its number, however slots are divided among connections.
func TestALateCallIsToldOfItsSlot(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		quick, late := takes(10*ms), takes(700*ms)
		r := by.of([]load.Caller{quick, late, quick, late, late, quick}, 10*second)
		defer r.Close()
		p, err := r.Begin(load.Schedule{Limit: load.Limit{Duration: second}}, second, &ledger{})
		if err != nil {
			t.Fatal(err)
		}
		told := make(chan int, 6)
		p.OnLate(func(slot, _ int) { told <- slot })
		got := p.Run(t.Context())
		close(told)
		var slots []int
		for slot := range told {
			slots = append(slots, slot)
		}
		slices.Sort(slots)
		if want := []int{1, 3, 4}; got.Late != 3 || !slices.Equal(slots, want) {
			t.Errorf("%+v, told of slots %v, want %v", got, slots, want)
		}
	})
}

// A call that fails after the window is no part of what the rate left out.
func TestOnlyGoodCallsAreLate(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, callerFunc(func(context.Context) error { time.Sleep(second); return errors.New("no") }))
		defer r.Close()
		if _, got := run(t, r, constant(10, second/2), 10*second); got.Late != 0 || got.Window != second/2 {
			t.Errorf("%+v", got)
		}
	})
}
