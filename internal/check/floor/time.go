package floor

import (
	"context"
	"math"
	"runtime"
	"time"
)

const (
	clockReadings = 200_000
	napFor        = time.Millisecond
)

// clock reads the clock again and again.
func (m machine) clock() (cost, step time.Duration) {
	step = math.MaxInt64
	begun := m.now()
	last := begun
	for range clockReadings {
		now := m.now()
		if gap := now.Sub(last); gap > 0 {
			step = min(step, gap)
		}
		last = now
	}
	return last.Sub(begun) / clockReadings, step
}

// late sleeps repeatedly, as the pacer of an open load does, on a separate thread.
func (m machine) late(ctx context.Context, over time.Duration) (p50, p99 time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var lateness []time.Duration
	for end := m.now().Add(over); ctx.Err() == nil; {
		begun := m.now()
		m.nap(napFor)
		woken := m.now()
		if woken.After(end) {
			break
		}
		lateness = append(lateness, max(woken.Sub(begun)-napFor, 0)) // a signal ends a nap early
	}
	return quantile(lateness, .5), quantile(lateness, .99)
}

// hiccups does nothing but look at the clock: where two readings lie far apart the thread was not running.
func (m machine) hiccups(ctx context.Context, over time.Duration) (perSec float64, longest time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	count := 0
	begun := m.now()
	for last := begun; last.Sub(begun) < over && ctx.Err() == nil; {
		now := m.now()
		gap := now.Sub(last)
		if gap > HiccupFrom {
			count++
		}
		longest = max(longest, gap)
		last = now
	}
	return float64(count) / m.now().Sub(begun).Seconds(), longest
}
