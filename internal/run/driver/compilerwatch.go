package driver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
)

const (
	// compilersQuiet is the part of its CPU time that the compilers of a process take at the most when they are quiet.
	compilersQuiet = 0.05

	// compilersTrifle is the fraction of one processor's time that compilers may always take. At a few calls per second a single
	// compilation would be a large share.
	compilersTrifle = 0.001

	// compilersLook is the interval between two checks of the compilers, in ns.
	compilersLook = int64(time.Second)
)

// A compilerWatch looks, each second of a phase, at the part of their CPU time that processes spend on compiling.
type compilerWatch struct {
	processes []namedProcess
	window    int // looks after the first over which compilers must be quiet
	looks     chan struct{}
	lookedNs  int64 // when a look was last asked for, since the phase began
	quiet     atomic.Bool
	over      atomic.Bool // the phase is

	seen  [][]*control.Snapshot // of the processes, the last looks
	share float64               // the greatest of a process, at the last look, over the window or what there is of it
}

func newCompilerWatch(processes []namedProcess, window int) *compilerWatch {
	return &compilerWatch{processes: processes, window: window, looks: make(chan struct{}, 1)}
}

// begin looks whenever see asks for it, until end. That waits for a look that is on its way, unless the phase has failed: a
// session takes no command behind one that was broken off.
func (w *compilerWatch) begin(ctx context.Context) (end func(failed error)) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	w.looks <- struct{}{} // to begin with
	looking.Go(func() {
		for range w.looks {
			if !w.over.Load() {
				w.look(ctx)
			}
		}
	})
	return func(failed error) {
		w.over.Store(true)
		if failed != nil {
			cancel()
		}
		close(w.looks)
		looking.Wait()
		cancel()
	}
}

// see takes the next interval of a client, and reports whether all compilers are quiet.
func (w *compilerWatch) see(client int, i *control.Interval) bool {
	if client == 0 && i.GetEndNs()-w.lookedNs >= compilersLook {
		w.lookedNs = i.GetEndNs()
		select {
		case w.looks <- struct{}{}:
		default: // the look before it takes longer
		}
	}
	return w.quiet.Load()
}

// look takes a snapshot of every process, unless all were quiet before: calls may then no longer be made. A process that does
// not answer is not quiet, and ends the phase by itself.
func (w *compilerWatch) look(ctx context.Context) {
	if w.quiet.Load() {
		return
	}
	now := make([]*control.Snapshot, len(w.processes))
	for i, p := range w.processes {
		var err error
		if now[i], err = p.MarkBriefly(ctx); err != nil {
			w.seen = nil
			return
		}
	}
	w.seen = append(w.seen, now)
	w.seen = w.seen[max(len(w.seen)-w.window-1, 0):]
	if len(w.seen) > 1 {
		w.judge(w.seen[0], now)
	}
}

// judge compares the snapshots at both ends of the window.
func (w *compilerWatch) judge(first, last []*control.Snapshot) {
	w.share = 0
	quiet := len(w.seen) > w.window
	for i := range last {
		compiling := compilingBetween(first[i], last[i])
		w.share = max(w.share, compiling.share)
		quiet = quiet && (compiling.share <= compilersQuiet || compiling.processors <= compilersTrifle)
	}
	w.quiet.Store(quiet)
}

// compiling is the compilers' use between two snapshots of a process.
type compiling struct {
	share      float64 // of the process's CPU time
	processors float64 // on average
}

// compilingBetween is all of both where it is unknown.
func compilingBetween(before, after *control.Snapshot) compiling {
	used := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	elapsed := after.GetTimeNs() - before.GetTimeNs()
	if before.CompilerCpuNs == nil || after.CompilerCpuNs == nil || used <= 0 || elapsed <= 0 {
		return compiling{1, 1}
	}
	took := float64(*after.CompilerCpuNs - *before.CompilerCpuNs)
	return compiling{min(took/float64(used), 1), took / float64(elapsed)}
}
