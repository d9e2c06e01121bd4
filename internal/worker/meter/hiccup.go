package meter

import (
	"runtime"
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// hiccupPeriod is the time that the hiccup meter sleeps. jHiccup uses 1 ms. But waking up costs 20 µs on a virtual machine, for a
// C program too, and Go's runtime, which watches long system calls, adds 50 to 100% to that: 5% of a core at 1 ms, over 1% at 5
// ms, 0.6% at 10 ms (measured, see BenchmarkHiccups).
const hiccupPeriod = 10 * time.Millisecond

// Standstill is the minimum length of a pause of the whole process: it was stopped, or its machine was, or it collected garbage.
// An interval, of which there are ten a second, or a nap then takes that long.
const Standstill = time.Second

// watchHiccups measures hiccups like jHiccup until end: an otherwise idle thread sleeps for hiccupPeriod at a time, and any
// program on this machine may have been delayed by as much as it wakes late. It sees shorter pauses only by chance. worst is
// raised to the longest.
func watchHiccups(nap func(time.Duration), worst *atomic.Int64) (end func() *control.Quantiles) {
	var over atomic.Bool
	found := make(chan *control.Quantiles, 1)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine, and its timer slack with it
		found <- measureHiccups(nap, &over, worst)
	}()
	return func() *control.Quantiles {
		over.Store(true)
		return <-found
	}
}

// measureHiccups naps until over, and at least once. A nap that is late by several periods also counts for those in between, each
// by the remaining delay, because anything due then was delayed as well. A standstill counts once: this process alone may have
// been stopped, and the clients report those of the machine.
func measureHiccups(nap func(time.Duration), over *atomic.Bool, worst *atomic.Int64) *control.Quantiles {
	late := record.NewHistogram()
	for last := time.Now(); ; {
		for left := hiccupPeriod; left > 0; left = hiccupPeriod - time.Since(last) { // a signal ends a nap early
			nap(left)
		}
		woken := time.Now()
		hiccup := min(woken.Sub(last)-hiccupPeriod, time.Hour) // the range of the histogram
		between := hiccupPeriod
		if hiccup >= Standstill {
			between = 0
		}
		worst.Store(max(worst.Load(), hiccup.Nanoseconds())) // nobody else raises it
		_ = late.RecordCorrectedValue(hiccup.Nanoseconds(), between.Nanoseconds())
		if last = woken; over.Load() {
			q := record.QuantilesOf(late)
			return &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P99Ns: q.P99, MaxNs: q.Max}
		}
	}
}
