package truth_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/worker/load"
)

type prompt struct{}

func (prompt) Call(context.Context) error { return nil }
func (prompt) After() error               { return nil }

// dues is a Sink that keeps when calls were due.
type dues struct {
	mu sync.Mutex
	at map[time.Duration]bool
}

func (d *dues) Record(_ int, s *load.Sample) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at[s.Due] = true
}

func TestArrivalsAreThoseOfTheLoadRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		room := load.NewSlotPool(load.Config{
			Callers: []load.Caller{prompt{}}, Now: func() time.Duration { return time.Since(begun) },
			Waiter: load.SleepWaiter{}, Deadline: time.Second,
		})
		defer room.Close()
		sink := &dues{at: map[time.Duration]bool{}}
		phase, err := room.Begin(load.Schedule{PerSec: 100, Poisson: true, Seed: 9, Limit: load.Limit{Calls: 500}}, time.Second, sink)
		if err != nil {
			t.Fatal(err)
		}
		phase.Run(t.Context())
		for i, due := range truth.Arrivals(100, 9, 500) {
			if !sink.at[due] {
				t.Fatalf("the room had no call due at %v, arrival %d", due, i)
			}
		}
	})
}
