package worker

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"

	"github.com/google/pprof/profile"

	"rpcbench/internal/worker/control"
)

// A profiler profiles the CPU and the allocations of the whole process from its begin to its end.
type profiler struct {
	cpu   bytes.Buffer
	began *profile.Profile // what had been allocated by then
}

// profile begins a profile, or ends it and sends its files.
func (w *worker) profile(c *control.Profile) (any, error) {
	switch {
	case c.GetEnd() && w.profiler == nil:
		return nil, control.Faultf("profile.end", "there is no profile to end")
	case !c.GetEnd() && w.profiler != nil:
		return nil, control.Faultf("profile", "a profile is already being recorded")
	case !c.GetEnd():
		p, err := newProfiler()
		if err != nil {
			return nil, control.Faultf("profile", "%v", err)
		}
		w.profiler = p
		return &control.Profiled{}, nil
	}
	p := w.profiler
	w.profiler = nil
	cpu, allocs, err := p.end()
	if err != nil {
		return nil, control.Faultf("profile", "%v", err)
	}
	if err := w.send("cpu.pprof", cpu); err != nil {
		return nil, err
	}
	if err := w.send("allocs.pprof", allocs); err != nil {
		return nil, err
	}
	return &control.Profiled{}, nil
}

func newProfiler() (*profiler, error) {
	began, err := allocated()
	if err != nil {
		return nil, err
	}
	p := &profiler{began: began}
	return p, pprof.StartCPUProfile(&p.cpu)
}

// end returns both profiles. That of allocations is the difference to the begin.
func (p *profiler) end() (cpu, allocs []byte, err error) {
	pprof.StopCPUProfile()
	ended, err := allocated()
	if err != nil {
		return nil, nil, err
	}
	p.began.Scale(-1)
	since, err := profile.Merge([]*profile.Profile{p.began, ended})
	if err != nil {
		return nil, nil, fmt.Errorf("subtract what was allocated before: %w", err)
	}
	since.TimeNanos, since.DurationNanos = p.began.TimeNanos, ended.TimeNanos-p.began.TimeNanos
	var out bytes.Buffer
	if err := since.Write(&out); err != nil {
		return nil, nil, err
	}
	return p.cpu.Bytes(), out.Bytes(), nil
}

// allocated returns what the process has allocated since it started. The runtime reports it up to the last collection.
func allocated() (*profile.Profile, error) {
	runtime.GC()
	var out bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&out, 0); err != nil {
		return nil, err
	}
	return profile.Parse(&out)
}

// dump sends what every goroutine does, and the heap's profile if requested: Go has no dump of a heap that other tools can read.
func (w *worker) dump(c *control.Dump) (any, error) {
	var threads bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&threads, withStacks); err != nil {
		return nil, control.Faultf("dump", "%v", err)
	}
	if err := w.send("threads.txt", threads.Bytes()); err != nil {
		return nil, err
	}
	if c.GetHeap() {
		runtime.GC()
		var heap bytes.Buffer
		if err := pprof.Lookup("heap").WriteTo(&heap, 0); err != nil {
			return nil, control.Faultf("dump.heap", "%v", err)
		}
		if err := w.send("heap.pprof", heap.Bytes()); err != nil {
			return nil, err
		}
	}
	return &control.Dumped{}, nil
}

// withStacks has pprof write goroutines as a panic does.
const withStacks = 2

// send sends a file.
func (w *worker) send(name string, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), control.PieceBytesMax)
		if err := w.events.Write(&control.Piece{Name: name, Data: data[:n]}); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
