package load_test

import (
	"context"
	"testing"
	"time"

	"rpcbench/internal/worker/load"
)

// A phase of 2 s whose calls take 5 s, and which would drain for an hour, is stopped with a drain of 1 s. All calls that
// are answered are late.
func TestAStopMayShortenTheDrain(t *testing.T) {
	t.Parallel()
	open, closed := constant(10, 2*second), load.Schedule{Limit: load.Limit{Duration: 2 * second}}
	within := func(p *load.Phase) { p.StopWithin(second) }
	for name, c := range map[string]struct {
		schedule         load.Schedule
		stop             func(p *load.Phase)
		at               time.Duration // when it is stopped
		took, stopped    time.Duration
		answered, cutOff int
	}{
		"open":   {open, within, 950 * ms, 1950 * ms, 950 * ms, 0, 10},
		"closed": {closed, within, 950 * ms, 1950 * ms, 950 * ms, 0, 20},
		"stopped before": {open, func(p *load.Phase) {
			p.Stop()
			time.AfterFunc(second, func() { p.StopWithin(second); p.StopWithin(time.Minute) })
		}, 950 * ms, 2950 * ms, 950 * ms, 0, 10},
		"while it drains":      {open, within, 5550 * ms, 6550 * ms, 0, 16, 4},
		"longer than it would": {open, func(p *load.Phase) { p.StopWithin(2 * time.Hour) }, 950 * ms, 5900 * ms, 950 * ms, 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			virtually(t, func(t *testing.T, by kind) {
				r := by.pool(20, takes(5*second))
				defer r.Close()
				l := &ledger{}
				p, err := r.Begin(c.schedule, time.Hour, l)
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(c.at, func() { c.stop(p) })
				begun := time.Now()
				tally := p.Run(context.Background())
				if took := time.Since(begun); took != c.took || tally.Stopped != c.stopped {
					t.Errorf("it took %v and was stopped at %v, want %v and %v", took, tally.Stopped, c.took, c.stopped)
				}
				window := 2 * second
				if c.stopped > 0 {
					window = c.stopped
				}
				if tally.Window != window || tally.Late != int64(c.answered) {
					t.Errorf("window %v with %d late calls, want %v and %d", tally.Window, tally.Late, window, c.answered)
				}
				answered, cutOff := l.count(fate(load.Answered)), l.count(fate(load.Unfinished))
				if answered != c.answered || cutOff != c.cutOff || tally.Arrivals != int64(answered+cutOff) {
					t.Errorf("%d arrivals, %d answered, %d cut off; want %d and %d", tally.Arrivals, answered, cutOff, c.answered, c.cutOff)
				}
			})
		})
	}
}

// All calls have begun: a stop that comes then ends nothing, and the window is that of a phase that nobody stops.
func TestAStopAfterTheLastCallHasBegunLeavesTheWindow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schedule load.Schedule
		takes    time.Duration
		at       time.Duration
		want     load.Tally
	}{
		"open": {
			load.Schedule{PerSec: 1, Limit: load.Limit{Calls: 3}}, 5 * second, 2500 * ms,
			load.Tally{Arrivals: 3, Elapsed: 7 * second, Window: 3 * second, Late: 3},
		},
		"closed": {
			load.Schedule{Limit: load.Limit{Calls: 4}}, 100 * ms, 120 * ms,
			load.Tally{Arrivals: 4, Elapsed: 200 * ms, Window: 400 * ms / 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			virtually(t, func(t *testing.T, by kind) {
				r := by.pool(3, takes(c.takes))
				defer r.Close()
				p, err := r.Begin(c.schedule, time.Hour, &ledger{})
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(c.at, p.Stop)
				if got := p.Run(context.Background()); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		})
	}
}
