package load_test

import (
	"slices"
	"testing"
	"time"

	"rpcbench/internal/worker/load"
)

func TestCallsOfAClosedLoadAreDealtToItsParts(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		for part, want := range []int64{4, 3, 3} {
			r := by.pool(2, takes(ms))
			defer r.Close()
			_, tally := run(t, r, load.Schedule{Limit: load.Limit{Calls: 10}, Part: load.Part{Index: int64(part), Of: 3}}, second)
			if tally.Arrivals != want {
				t.Errorf("part %d of 3 made %d of 10 calls, want %d", part, tally.Arrivals, want)
			}
		}
	})
}

// Three calls in flight, then four: of two parts the first has two both times.
func TestCallsInFlightAreDealtToParts(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		for part, want := range [][]int{{2, 2}, {1, 2}} {
			var l roll
			r := l.pool(by, 2, 30*ms)
			defer r.Close()
			run(t, r, load.Schedule{
				Limit: load.Limit{Duration: 2 * second}, Part: load.Part{Index: int64(part), Of: 2},
				Stages: []load.Stage{{From: 3, To: 3, Length: second}, {From: 4, To: 4, Length: second}},
			}, second)
			for i, n := range want {
				if got := l.at(time.Duration(i)*second + second/2); !slices.Equal(got, firsts(n)) {
					t.Errorf("part %d: in stage %d slots %v have calls in flight, want the first %d", part, i, got, n)
				}
			}
		}
	})
}

func TestAPhaseThatWaitsBeginsThen(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, takes(100*ms))
		defer r.Close()
		begun := time.Now()
		var l ledger
		p, err := r.Begin(load.Schedule{PerSec: 1, Limit: load.Limit{Calls: 2}}, second, &l)
		if err != nil {
			t.Fatal(err)
		}
		p.Wait(t.Context(), 5*second)
		p.Run(t.Context())
		if took := time.Since(begun); took != 6*second+100*ms || l.samples[0].Due != 0 || l.samples[1].Done != second+100*ms {
			t.Errorf("it took %v: %+v", took, l.samples)
		}
	})
}

// A phase that is stopped while it waits makes no call, of whatever load.
func TestAPhaseStoppedBeforeItBeginsMakesNoCall(t *testing.T) {
	t.Parallel()
	for name, schedule := range map[string]load.Schedule{
		"closed": {Limit: load.Limit{Calls: 5}},
		"open":   {PerSec: 10, Limit: load.Limit{Duration: second}},
		"stages": {Limit: load.Limit{Duration: second}, Stages: []load.Stage{{From: 1, To: 2, Length: second}}},
	} {
		virtually(t, func(t *testing.T, by kind) {
			r := by.pool(2, takes(ms))
			defer r.Close()
			begun := time.Now()
			p, err := r.Begin(schedule, second, &ledger{})
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(second, p.Stop)
			p.Wait(t.Context(), time.Hour)
			if tally := p.Run(t.Context()); tally.Arrivals != 0 || time.Since(begun) != second {
				t.Errorf("%s: %d calls, %v after the begin", name, tally.Arrivals, time.Since(begun))
			}
		})
	}
}
