package meter

import (
	"runtime"
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// hiccupPeriod is how long the hiccup meter sleeps at a time. jHiccup takes 1 ms. But to wake from a nap costs 20 µs on a
// virtual machine, to a C program too, and Go's runtime, which watches whoever is long in a system call, half as much to as
// much again: 5% of a core at 1 ms, over 1% at 5 ms, 0.6% at 10 ms (measured, see BenchmarkHiccups).
const hiccupPeriod = 10 * time.Millisecond

// Standstill is how long a process does nothing at the least that stood still: it was stopped, or its machine, or it
// collected garbage. An interval, of which there are ten a second, then takes as long, or a nap.
const Standstill = time.Second

// watchHiccups measures hiccups as jHiccup does, until end: a thread with nothing else to do sleeps for hiccupPeriod at a
// time, and what it wakes late by, any program of this machine may have been late by. A shorter pause than that is met by
// chance only. worst is raised to the longest.
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

// measureHiccups naps until over, and once at least. A nap that is late by several periods counts for those in between
// too, each by as much as was left then: whoever came in one of them was held up as well. A
// standstill counts once: this process may have been stopped alone, and of the machine's the clients tell.
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
