package patience

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// stoodStill returns the clock of a process that stood still for long, a while after it started.
func stoodStill(after, long time.Duration) func() time.Time {
	begun := time.Now()
	return func() time.Time {
		now := time.Now()
		if now.Sub(begun) >= after {
			now = now.Add(long)
		}
		return now
	}
}

func TestOnlyTimeInWhichTheProcessRunsPasses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ d, still, took time.Duration }{
		"it runs":          {10 * time.Second, 0, 10 * time.Second},
		"it stands still":  {10 * time.Second, time.Hour, 10 * time.Second},
		"it is late":       {10 * time.Second, 900 * time.Millisecond, 10*time.Second - 900*time.Millisecond},
		"a short patience": {100 * time.Millisecond, time.Hour, 100 * time.Millisecond},
		"none":             {0, time.Hour, 0},
		"less than none":   {-1, time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun, over := time.Now(), make(chan time.Time, 2)
				AfterFunc(stoodStill(c.d/2, c.still), c.d, func() { over <- time.Now() })
				if took := (<-over).Sub(begun); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				time.Sleep(time.Hour)
				if len(over) > 0 {
					t.Error("it is over twice")
				}
			})
		})
	}
}

func TestATimerBeginsAgainAndEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, over := time.Now(), make(chan time.Time, 2)
		timer := AfterFunc(time.Now, 10*time.Second, func() { over <- time.Now() })
		for range 3 {
			time.Sleep(9500 * time.Millisecond)
			timer.Reset(10 * time.Second)
		}
		if took := (<-over).Sub(begun); took != 38500*time.Millisecond {
			t.Errorf("it took %v, want 38.5s", took)
		}
		timer.Reset(10 * time.Second)
		time.Sleep(9500 * time.Millisecond)
		timer.Stop()
		time.Sleep(time.Hour)
		if len(over) > 0 {
			t.Error("a timer that was stopped went off")
		}
	})
}

func TestATimeoutSaysHowMuchHasPassed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := WithTimeout(t.Context(), 2*time.Minute)
		begun := time.Now()
		<-ctx.Done()
		if took, why := time.Since(begun), context.Cause(ctx); took != 2*time.Minute || why.Error() != "2m0s have passed" {
			t.Errorf("%v after %v", why, took)
		}
		cancel()
	})
}

func TestAPauseLastsUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if err := Pause(t.Context(), time.Hour); err != nil || time.Since(begun) != time.Hour {
			t.Errorf("%v after %v, want an hour", err, time.Since(begun))
		}
		ctx, cancel := WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun = time.Now()
		if err := Pause(ctx, time.Hour); err == nil || err.Error() != "1m0s have passed" || time.Since(begun) != time.Minute {
			t.Errorf("%v after %v, want a minute", err, time.Since(begun))
		}
	})
}

func TestAProcessNoticesThatItStoodStill(t *testing.T) {
	t.Parallel()
	for _, long := range []time.Duration{900 * time.Millisecond, 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			s := Watch(stoodStill(10*time.Second-look, long))
			time.Sleep(20 * time.Second)
			noticed := long > minStill
			for name, c := range map[string]struct {
				from, to time.Duration
				within   bool
			}{
				"before": {0, 9 * time.Second, false},
				"into":   {0, 12 * time.Second, noticed},
				"in":     {11 * time.Second, 12 * time.Second, noticed},
				"out of": {30 * time.Second, 50 * time.Second, noticed},
				"after":  {40 * time.Second, 50 * time.Second, false},
			} {
				if got := s.Within(begun.Add(c.from), begun.Add(c.to)); got != c.within {
					t.Errorf("%v, %s: %v, want %v", long, name, got, c.within)
				}
			}
			want := time.Duration(0)
			if noticed {
				want = long + look
			}
			if got := s.End(); got != want {
				t.Errorf("it stood still for %v, want %v", got, want)
			}
		})
	}
}
