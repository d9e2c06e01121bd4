package worker

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var kept []byte

// Not in parallel: what other tests allocate would come between the two readings.
func TestMemoryIsAsTheRuntimeCountsItWhenItStands(t *testing.T) { //nolint:paralleltest // see above
	for range 10 {
		kept = make([]byte, 1<<20)
	}
	debug.FreeOSMemory() // a collection, and no memory is left to be given back between the readings
	var want runtime.MemStats
	runtime.ReadMemStats(&want)
	got := readMemory()
	near := func(what string, got int64, want uint64, by int64) {
		t.Helper()
		if d := got - int64(want); d < -by || d > by {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	near("allocations", got.allocations, want.Mallocs, 1000)
	near("allocated bytes", got.allocatedBytes, want.TotalAlloc, 1<<20)
	near("heap", got.heapBytes, want.HeapAlloc, 1<<20)
	near("committed", got.committedBytes, want.HeapSys-want.HeapReleased, 1<<20)
	if got.cycles != int64(want.NumGC) || got.pause != time.Duration(want.PauseTotalNs) || got.cycles == 0 || got.pause == 0 {
		t.Errorf("%d cycles of %v, want %d of %d ns", got.cycles, got.pause, want.NumGC, want.PauseTotalNs)
	}
}
