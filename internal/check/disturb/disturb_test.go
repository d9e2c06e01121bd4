package disturb

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// In virtual time work that lasts until its end takes exactly its part of each period.
func TestADisturbanceTakesItsPartOfTheTime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"busy-5", "busy-25", "busy-100", "bursts", "memory"} {
		synctest.Test(t, func(t *testing.T) {
			kind, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			var busy time.Duration
			kind.all = false
			kind.work = func(until time.Time) { busy += time.Until(until); time.Sleep(time.Until(until)) }
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
			defer cancel()
			kind.Run(ctx)
			want := time.Duration(int64(10*time.Second) / int64(kind.every) * int64(kind.busy))
			if busy < want-kind.every || busy > want+kind.every {
				t.Errorf("%s is busy for %v of 10 s, want %v", name, busy, want)
			}
		})
	}
}

// A disturbance does not catch up on what it missed, because that would be a burst.
func TestADisturbanceMakesUpForNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kind, _ := Find("busy-50")
		calls := 0
		kind.work = func(until time.Time) {
			if calls++; calls == 1 {
				time.Sleep(time.Second) // it was not scheduled
				return
			}
			time.Sleep(time.Until(until))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second-time.Millisecond)
		defer cancel()
		kind.Run(ctx)
		if calls != 101 {
			t.Errorf("%d pieces of work in 2 s, want 1 and then 100", calls)
		}
	})
}

func TestAnUnknownDisturbanceIsNamedWithThoseThereAre(t *testing.T) {
	t.Parallel()
	if _, err := Find("noise"); err == nil || !strings.Contains(err.Error(), `"noise" is not a disturbance; known: busy-5, `) {
		t.Errorf("%v", err)
	}
}
