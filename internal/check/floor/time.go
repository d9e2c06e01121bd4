package floor

import (
	"context"
	"math"
	"runtime"
	"time"

	"rpcbench/internal/worker/host"
)

const (
	clockReadings = 200_000
	napFor        = time.Millisecond
)

// clock reads the clock again and again.
func clock() (cost, step time.Duration) {
	step = math.MaxInt64
	begun := time.Now()
	last := begun
	for range clockReadings {
		now := time.Now()
		if gap := now.Sub(last); gap > 0 {
			step = min(step, gap)
		}
		last = now
	}
	return last.Sub(begun) / clockReadings, step
}

// late sleeps again and again as the pacer of an open load does, on a thread of its own.
func late(ctx context.Context, over time.Duration) (p50, p99 time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var lateness []time.Duration
	for end := time.Now().Add(over); ctx.Err() == nil; {
		begun := time.Now()
		host.Nap(napFor)
		woken := time.Now()
		if woken.After(end) {
			break
		}
		lateness = append(lateness, max(woken.Sub(begun)-napFor, 0)) // a signal ends a nap early
	}
	return quantile(lateness, .5), quantile(lateness, .99)
}

// hiccups does nothing but look at the clock: where two readings lie far apart the thread was not running.
func hiccups(ctx context.Context, over time.Duration) (perSec float64, longest time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	count := 0
	begun := time.Now()
	for last := begun; last.Sub(begun) < over && ctx.Err() == nil; {
		now := time.Now()
		gap := now.Sub(last)
		if gap > HiccupFrom {
			count++
		}
		longest = max(longest, gap)
		last = now
	}
	return float64(count) / time.Since(begun).Seconds(), longest
}
