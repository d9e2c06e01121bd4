package worker

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A memory holds the heap counters of Go's runtime.
type memory struct {
	allocations, allocatedBytes, heapBytes, committedBytes, cycles int64

	pause time.Duration // of all collections
}

// readMemory reads the counters without runtime.ReadMemStats, which stops the world: snapshots are taken while calls are
// measured.
func readMemory() (m memory) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/tiny/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	value := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	m.allocations, m.allocatedBytes = value(0)+value(1), value(2)
	m.heapBytes, m.committedBytes = value(3), value(3)+value(4)+value(5)
	var collections debug.GCStats
	debug.ReadGCStats(&collections)
	m.cycles, m.pause = collections.NumGC, collections.PauseTotal
	return m
}
