package load_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/load"
)

// countingWaiter counts the waits.
type countingWaiter struct {
	load.SleepWaiter
	waits int
}

func (w *countingWaiter) Wait(d time.Duration) {
	w.waits++
	w.SleepWaiter.Wait(d)
}

// A Waiter costs what it spins: for an arrival that is far away it is used once, however long that is.
func TestPacingCostsLittleAtSmallRates(t *testing.T) {
	t.Parallel()
	for _, perSec := range []float64{0.01, 1, 10, 100} {
		synctest.Test(t, func(t *testing.T) {
			const calls = 20
			waiter := &countingWaiter{}
			r := kind{name: "callers"}.with([]load.Caller{takes(0)}, waiter, second)
			defer r.Close()
			l, _ := run(t, r, load.Schedule{PerSec: perSec, Limit: load.Limit{Calls: calls}}, second)
			for i, s := range l.samples {
				if s.Sent != s.Due {
					t.Errorf("at %v/s call %d was sent %v late", perSec, i, s.Sent-s.Due)
				}
			}
			if waiter.waits != calls-1 { // the first call is due at once
				t.Errorf("at %v/s the pacer waited %d times for %d calls", perSec, waiter.waits, calls)
			}
		})
	}
}

// Who rests until an arrival that is far away hears of a stop at once.
func TestAStopDoesNotWaitForTheNextArrival(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		r := by.pool(1, takes(0))
		defer r.Close()
		p, err := r.Begin(load.Schedule{PerSec: 0.01}, second, &ledger{})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		time.AfterFunc(3*second, p.Stop)
		tally := p.Run(context.Background())
		if took := time.Since(begun); took != 3*second || tally.Arrivals != 1 {
			t.Errorf("the phase took %v and had %d arrivals, want 3s and 1", took, tally.Arrivals)
		}
	})
}
