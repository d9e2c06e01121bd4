package worker

import (
	"os"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

var started = time.Now()

// snapshot says what this process has used so far.
func (w *worker) snapshot(mark *control.Mark) *control.Snapshot {
	if w.program != nil {
		return programSnapshot(w.program, mark)
	}
	usage, memory := host.Self(), readMemory()
	s := &control.Snapshot{
		TimeNs:          int64(time.Since(started)),
		CpuUserNs:       int64(usage.CPUUser),
		CpuSystemNs:     int64(usage.CPUSystem),
		PeakMemoryBytes: usage.PeakMemoryBytes,
		Sockets:         w.wire.opened.Load(),
		BytesOut:        new(w.wire.out.Load()),
		BytesIn:         new(w.wire.in.Load()),
		Allocations:     new(memory.allocations),
		AllocatedBytes:  new(memory.allocatedBytes),
		GcCycles:        new(memory.cycles),
		GcPauseNs:       new(memory.pause.Nanoseconds()),
		HeapBytes:       new(memory.heapBytes),
		// What was given back to the system counts no more.
		HeapCommittedBytes: new(memory.committedBytes),
	}
	if usage.SwitchesKnown {
		s.VoluntarySwitches, s.InvoluntarySwitches = new(usage.VoluntarySwitches), new(usage.InvoluntarySwitches)
	}
	if throttled, known := host.Throttled(os.DirFS("/")); known {
		s.ThrottledNs = new(throttled.Nanoseconds())
	}
	if f := &w.wire.framed; f.used.Load() {
		s.FramedBytesOut, s.FramedBytesIn = new(f.out.Load()), new(f.in.Load())
	}
	if !mark.GetBrief() {
		addSegments(s, &w.wire.tcp)
	}
	if w.client != nil {
		s.PacerCpuNs = new(int64(w.client.waiter.CPU() + w.client.within.cpu()))
	}
	if w.relay != nil {
		addRelay(s, w.relay.Stats())
	}
	return s
}
