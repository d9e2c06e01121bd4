package meter

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

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
	h := newHiccups(worst)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine, and its timer slack with it
		h.measure(nap)
	}()
	return h.end
}

// hiccups are those of one watch.
type hiccups struct {
	worst *atomic.Int64
	first chan struct{} // closed after the first nap

	mu   sync.Mutex
	late *hdrhistogram.Histogram
	last time.Time // when the last nap ended, or the watch began
	over bool
}

func newHiccups(worst *atomic.Int64) *hiccups {
	return &hiccups{worst: worst, first: make(chan struct{}), late: record.NewHistogram(), last: time.Now()}
}

// measure naps until end.
func (h *hiccups) measure(nap func(time.Duration)) {
	last := h.last
	for n := 0; ; n++ {
		for left := hiccupPeriod; left > 0; left = hiccupPeriod - time.Since(last) { // a signal ends a nap early
			nap(left)
		}
		last = time.Now()
		if !h.woken(last) {
			return
		}
		if n == 0 {
			close(h.first)
		}
	}
}

// woken counts a nap that ended now, and reports whether another is to follow.
func (h *hiccups) woken(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.over {
		h.count(now)
	}
	return !h.over
}

// end ends the watch, once a nap has ended. It waits for no other: the one that goes on counts if it is late already, by as much.
func (h *hiccups) end() *control.Quantiles {
	<-h.first
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); now.Sub(h.last) > hiccupPeriod {
		h.count(now)
	}
	h.over = true
	q := record.QuantilesOf(h.late)
	return &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P99Ns: q.P99, MaxNs: q.Max}
}

// count counts a nap. One that is late by several periods also counts for those in between, each by the remaining delay, because
// anything due then was delayed as well. A standstill counts once: this process alone may have been stopped, and the clients
// report those of the machine.
func (h *hiccups) count(now time.Time) {
	hiccup := min(now.Sub(h.last)-hiccupPeriod, time.Hour) // the range of the histogram
	between := hiccupPeriod
	if hiccup >= Standstill {
		between = 0
	}
	h.last = now
	h.worst.Store(max(h.worst.Load(), hiccup.Nanoseconds())) // nobody else raises it meanwhile
	_ = h.late.RecordCorrectedValue(hiccup.Nanoseconds(), between.Nanoseconds())
}
