// Package allocated bounds the memory that code takes for foreign input, in tests and fuzz targets.
package allocated

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Bytes returns how many bytes of heap the process allocated while run ran, those that are free again included. Nothing else
// may run meanwhile: it is for tests that are not parallel, and for fuzz targets.
//
// ReadMemStats has each processor account for what it has allocated. The counters of runtime/metrics lag behind: a collection
// while run runs would add to them what was allocated before.
func Bytes(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// AtMost fails the test where run allocates more than most bytes.
func AtMost(t testing.TB, most uint64, run func()) {
	t.Helper()
	if got := Bytes(run); got > most {
		t.Errorf("%d bytes were allocated, %d at most", got, most)
	}
}

// Growth returns by how many bytes the heap had to grow while run ran: what it held at once, and a little garbage, which is
// collected early, so that a busy machine has no more of it. As for Bytes, nothing else may run meanwhile.
func Growth(run func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.HeapSys - before.HeapSys
}
