package load_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/load"
)

// thirds chooses call number mod 3, so that a test knows which call each one is.
func thirds(number uint64) int { return int(number % 3) }

// mixedPool has slots whose calls take 10, 20 and 30 ms.
func mixedPool(slots int, draw func(uint64) int, deadline time.Duration) *load.SlotPool {
	callers := make([][]load.Caller, slots)
	for i := range callers {
		callers[i] = []load.Caller{takes(10 * ms), takes(20 * ms), takes(30 * ms)}
	}
	begun := time.Now()
	return load.NewSlotPool(load.Config{
		Mix: &load.Mix{Callers: callers, Draw: draw}, Now: func() time.Duration { return time.Since(begun) },
		Waiter: load.SleepWaiter{}, Deadline: deadline,
	})
}

// mixed runs a phase of a mix, and returns its samples.
func mixed(t *testing.T, r *load.SlotPool, schedule load.Schedule, drain time.Duration) []load.Sample {
	t.Helper()
	l := &ledger{}
	p, err := r.Begin(schedule, drain, l)
	if err != nil {
		t.Fatal(err)
	}
	if tally := p.Run(t.Context()); tally.Arrivals != int64(len(l.samples)) {
		t.Errorf("%d arrivals, %d samples", tally.Arrivals, len(l.samples))
	}
	return l.samples
}

// An open load draws by the number of the arrival, however many slots there are and whichever of them makes the call.
func TestAnArrivalOfAMixIsTheSameCallInEverySlot(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{1, 7, 100} {
		synctest.Test(t, func(t *testing.T) {
			r := mixedPool(slots, thirds, 10*second)
			defer r.Close()
			samples := mixed(t, r, constant(100, second), 10*second)
			if len(samples) != 100 {
				t.Fatalf("%d calls, want 100", len(samples))
			}
			for _, s := range samples {
				arrival := int(s.Due / (10 * ms))
				if s.Which != arrival%3 || s.Done-s.Sent != time.Duration(s.Which+1)*10*ms {
					t.Errorf("%d slots: arrival %d is call %d, and took %v", slots, arrival, s.Which, s.Done-s.Sent)
				}
			}
		})
	}
}

// A closed load draws by slot and call: 2^40 mod 3 is 1, so that slot s of part p of 2 begins with call (2s + p) mod 3.
func TestASlotOfAClosedMixHasItsOwnCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := map[int][]int{}
		for part := range 2 {
			r := mixedPool(3, thirds, 10*second)
			schedule := load.Schedule{Limit: load.Limit{Duration: 5 * ms}, Part: load.Part{Index: int64(part), Of: 2}}
			for _, s := range mixed(t, r, schedule, second) {
				first[part] = append(first[part], s.Which)
			}
			slices.Sort(first[part])
			r.Close()
		}
		if want := []int{0, 1, 2}; !slices.Equal(first[0], want) || !slices.Equal(first[1], want) {
			t.Errorf("first calls %v, want %v in each part", first, want)
		}
		r := mixedPool(1, thirds, 10*second)
		defer r.Close()
		for range 2 { // every phase draws anew
			var order []int
			for _, s := range mixed(t, r, load.Schedule{Limit: load.Limit{Calls: 7}}, second) {
				order = append(order, s.Which)
			}
			if want := []int{0, 1, 2, 0, 1, 2, 0}; !slices.Equal(order, want) {
				t.Errorf("calls %v, want %v", order, want)
			}
		}
	})
}

// Arrivals that were never sent, calls past their deadline and calls that never return are counted for the call that they are.
func TestWhatAMixDidNotAnswerIsCountedByCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := mixedPool(1, thirds, 25*ms) // the third call takes 30
		defer r.Close()
		var late [3]int
		l := &ledger{}
		p, err := r.Begin(constant(3000, second), 0, l)
		if err != nil {
			t.Fatal(err)
		}
		p.OnLate(func(_, which int) { late[which]++ })
		tally := p.Run(t.Context())
		var counts [3]int
		var failed, unsent [3]int
		for _, s := range l.samples {
			counts[s.Which]++
			switch {
			case s.Fate == load.Unsent:
				unsent[s.Which]++
			case s.Err != nil:
				failed[s.Which]++
			}
		}
		if want := [3]int{1000, 1000, 1000}; tally.Arrivals != 3000 || counts != want {
			t.Errorf("%d arrivals, by call %v, want %v", tally.Arrivals, counts, want)
		}
		if failed[0]+failed[1] != 0 || failed[2] == 0 || unsent[0] < 900 || unsent[1] < 900 || unsent[2] < 900 {
			t.Errorf("failed %v, unsent %v", failed, unsent)
		}
		if int64(late[0]+late[1]+late[2]) != tally.Late {
			t.Errorf("told of late calls %v, want %d", late, tally.Late)
		}
	})
}

func TestACallOfAMixThatNeverReturnsIsThatCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hangs := callerFunc(func(context.Context) error { <-release; return nil })
		begun := time.Now()
		r := load.NewSlotPool(load.Config{
			Mix: &load.Mix{Callers: [][]load.Caller{{takes(ms), hangs}}, Draw: func(n uint64) int { return int(min(n, 1)) }},
			Now: func() time.Duration { return time.Since(begun) }, Waiter: load.SleepWaiter{}, Deadline: second,
		})
		defer r.Close()
		samples := mixed(t, r, constant(10, second/5), 0)
		close(release)
		if len(samples) != 2 || samples[0].Which != 0 || samples[1].Which != 1 || samples[1].Fate != load.Unfinished {
			t.Errorf("%+v", samples)
		}
	})
}
