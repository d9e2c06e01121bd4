package driver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

const (
	// compilersQuiet is the part of its CPU time that the compilers of a process take at the most when they are quiet.
	compilersQuiet = 0.05

	// compilersLook is how long the compilers are watched before they are judged.
	compilersLook = int64(time.Second)

	// compilersLooks is how often in succession they must be found quiet: between two tiers of compilation there is a lull.
	compilersLooks = 2
)

// warmCompilers makes calls before the warm-up until the just-in-time compilers of all processes are quiet, for as long as
// the spec allows. A method is compiled when it has been called often enough, so a server of ours gets as many calls as
// the slots can make, whatever the measured load is. Somebody else's server gets the measured load, and no more.
func (s *sides) warmCompilers(ctx context.Context) error {
	watch := s.watchCompilers()
	if s.spec.CompilersMostNs == 0 || len(watch.processes) == 0 {
		return nil
	}
	end := watch.begin(ctx)
	done, err := s.phaseOf(ctx, control.Warmup, s.beginCompiling, watch.see)
	end()
	if err != nil {
		return err
	}
	evidence := &result.Compilers{Closed: s.warmsHarder(), Share: watch.share, Quiet: watch.quiet.Load()}
	for i := range s.clients {
		keepFirst(&s.evidence.Clients[i].Record, done[i])
		evidence.ElapsedNs = max(evidence.ElapsedNs, done[i].GetElapsedNs())
	}
	s.evidence.Compilers = evidence
	return nil
}

// warmsHarder tells whether compilers are warmed up by a load other than the measured one.
func (s *sides) warmsHarder() bool {
	return s.spec.Target == "" && (s.spec.Load != plan.LoadClosed || s.spec.Schedule != nil)
}

func (s *sides) beginCompiling(client int) *control.Begin {
	begin := s.begin(control.Warmup, client)
	begin.DurationNs = s.spec.CompilersMostNs
	if s.warmsHarder() {
		begin.Load.Arrivals, begin.Load.PerSec, begin.Load.Stages = plan.LoadClosed, 0, nil
	}
	return begin
}

// A compilerWatch looks, each second of a phase, at the part of their CPU time that processes spend on compiling.
type compilerWatch struct {
	processes []namedProcess
	looks     chan struct{}
	lookedNs  int64 // when a look was last asked for, since the phase began
	quiet     atomic.Bool

	last  []*control.Snapshot // of the processes; nil before the first
	share float64             // the greatest of a process, at the last look
	calm  int                 // looks in succession that found all quiet
}

// watchCompilers watches the processes that say that they have a compiler to wait for.
func (s *sides) watchCompilers() *compilerWatch {
	w := &compilerWatch{looks: make(chan struct{}, 1)}
	for _, p := range s.both() {
		if p.Hello.GetCompilerPatienceNs() > 0 {
			w.processes = append(w.processes, p)
		}
	}
	return w
}

// begin looks whenever see asks for it, until end.
func (w *compilerWatch) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	w.looks <- struct{}{} // to begin with
	looking.Go(func() {
		for range w.looks {
			w.look(ctx)
		}
	})
	return func() {
		cancel()
		close(w.looks)
		looking.Wait()
	}
}

// see takes the next interval of a client, and tells whether all compilers are quiet.
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

// look takes a snapshot of every process. One that does not answer is not quiet, and ends the phase by itself.
func (w *compilerWatch) look(ctx context.Context) {
	now := make([]*control.Snapshot, len(w.processes))
	for i, p := range w.processes {
		var err error
		if now[i], err = p.Mark(ctx); err != nil {
			w.calm = 0
			return
		}
	}
	if w.last != nil {
		w.judge(now)
	}
	w.last = now
}

func (w *compilerWatch) judge(now []*control.Snapshot) {
	w.share = 0
	for i := range now {
		w.share = max(w.share, compilingShare(w.last[i], now[i]))
	}
	if w.calm++; w.share > compilersQuiet {
		w.calm = 0
	}
	w.quiet.Store(w.calm >= compilersLooks)
}

// compilingShare is the part of the CPU time between two snapshots that compilers took; 1 where it is unknown.
func compilingShare(before, after *control.Snapshot) float64 {
	used := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	if before.CompilerCpuNs == nil || after.CompilerCpuNs == nil || used <= 0 {
		return 1
	}
	return min(float64(*after.CompilerCpuNs-*before.CompilerCpuNs)/float64(used), 1)
}
