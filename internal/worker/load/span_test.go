package load

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"
)

// What a phase computes after its origin makes all calls late that are due meanwhile.
func TestTheEndOfAPhaseIsKnownBeforeItBegins(t *testing.T) {
	t.Parallel()
	for name, schedule := range map[string]Schedule{
		"constant": {PerSec: 1e6, Limit: Limit{Calls: 20}},
		"part":     {PerSec: 1e6, Limit: Limit{Calls: 20}, Part: Part{1, 3}},
		"poisson":  {PerSec: 1e6, Limit: Limit{Calls: 20}, Poisson: true, Seed: 1},
	} {
		var p *Phase
		var first sync.Once
		var known time.Duration // when the clock is first read
		begun := time.Now()
		pool := NewSlotPool(Config{Callers: []Caller{ready{}}, Deadline: time.Second, Waiter: SleepWaiter{}, Now: func() time.Duration {
			first.Do(func() { known = time.Duration(p.p.end.Load()) })
			return time.Since(begun)
		}})
		defer pool.Close()
		var err error
		if p, err = pool.Begin(schedule, time.Second, nowhere{}); err != nil {
			t.Fatal(err)
		}
		if got := p.Run(t.Context()); got.Window != known || got.Window != walked(schedule).window {
			t.Errorf("%s: the window is %v, and %v at the origin; want %v", name, got.Window, known, walked(schedule).window)
		}
	}
}

// A span that is computed must not differ from that of the arrivals one after another.
func TestASpanIsThatOfTheArrivals(t *testing.T) {
	t.Parallel()
	line := func(from, to float64) Stage { return Stage{from, to, 3 * time.Second} }
	for name, s := range map[string]Schedule{
		"constant": {},
		"poisson":  {Poisson: true, Seed: 3},
		"stages":   {Stages: []Stage{line(0, 40), line(7, 7), line(0, 0), line(40, 1)}},
		"random":   {Poisson: true, Seed: 3, Stages: []Stage{line(0, 40), line(7, 7), line(0, 0), line(40, 1)}},
		"no rest":  {Stages: []Stage{line(20, 0)}}, // 30 calls are ever due
	} {
		for _, perSec := range []float64{1e-9, 1. / 3, 3, 7.7, 1000, 123456.789, 3e9} { // 1e-9 is too slow for all
			for _, of := range []int64{0, 2, 3, 7} {
				for index := range max(of, 1) {
					for _, calls := range []int64{1, 2, 3, 29, 30, 31, 200, 1001} {
						s.PerSec, s.Limit.Calls, s.Part = perSec, calls, Part{index, of}
						if got, want := s.span(func() bool { return false }), walked(s); got != want {
							t.Errorf("%s: %+v has %+v, want %+v", name, s, got, want)
						}
					}
				}
			}
		}
	}
}

// walked returns a span by its definition.
func walked(s Schedule) span {
	whole := s
	whole.Part = Part{}
	whole.Limit.Calls++
	return span{window: newArrivals(whole).last(), end: newArrivals(s).last()}
}

// More calls than can be read one by one.
func TestASpanTakesNoLongerForMoreCalls(t *testing.T) {
	t.Parallel()
	never := func() bool { t.Error("it reads arrivals"); return true }
	got := Schedule{PerSec: 1e6, Limit: Limit{Calls: 1e12}, Part: Part{3, 4}}.span(never)
	if want := (span{window: 1e6 * time.Second, end: 1e6*time.Second - time.Microsecond}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	staged := Schedule{PerSec: 1, Limit: Limit{Calls: 1e12 + 50}, Stages: []Stage{{0, 100, time.Second}, {1e6, 1e6, time.Second}}}
	if got := staged.span(never); got.window != 1e6*time.Second+time.Second {
		t.Errorf("with stages %+v", got)
	}
	endless := Schedule{PerSec: 1e6, Limit: Limit{Calls: math.MaxInt64}}
	if got := endless.span(never); got.window <= forever || got.end <= forever {
		t.Errorf("without end %+v", got)
	}
}

// To read random arrivals takes time in proportion to their number. A stop, and the end of the context, need not wait for it.
func TestAStopEndsTheReadingOfArrivals(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		stop func(*Phase)
	}{
		"a stop":        {t.Context(), (*Phase).Stop},
		"its own drain": {t.Context(), func(p *Phase) { p.StopWithin(0) }},
		"the context":   {over, func(*Phase) {}},
	} {
		pool := NewSlotPool(Config{
			Callers: []Caller{ready{}}, Deadline: time.Second, Waiter: SleepWaiter{}, Now: func() time.Duration { return 0 },
		})
		defer pool.Close()
		p, err := pool.Begin(Schedule{PerSec: 1, Poisson: true, Limit: Limit{Calls: 1e15}}, time.Second, nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		go c.stop(p)
		p.Wait(c.ctx, time.Hour)
		if got := p.Run(c.ctx); got.Arrivals != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
