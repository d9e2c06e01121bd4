package driver

import (
	"context"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

const (
	// pacedPart is the fraction of a closed loop's rate for an open loop that warms up compilers. Its slots are sometimes idle,
	// as under an open measured load.
	pacedPart = 0.5

	// hardWindow is how many checks must find compilers quiet under a load that is harder than the measured one: between two
	// tiers of compilation there is a lull.
	hardWindow = 2

	// measuredWindow is the same for the measured load, under which methods may be compiled seldom.
	measuredWindow = 4
)

// A compilerWarmUp makes calls until the just-in-time compilers of the processes are quiet.
type compilerWarmUp struct {
	*sides

	processes []namedProcess
	evidence  result.Compilers
}

// warmCompilers makes calls before the warm-up until the just-in-time compilers of all processes are quiet, for as long as
// the spec allows.
//
// A method is compiled when it has been called often enough, so our own servers first get as many calls as the slots can
// make. A faster open load precedes an open measured load, because a closed loop leaves out the code that waits until calls
// are due. The measured load is the last. Compilers must be quiet under it: at a low rate a process uses little CPU time, and
// compilers easily take a large share of that. Foreign servers get only the measured load.
func (s *sides) warmCompilers(ctx context.Context) error {
	w := &compilerWarmUp{sides: s, processes: s.withCompilers()}
	if s.spec.CompilersMostNs == 0 || len(w.processes) == 0 {
		return nil
	}
	if err := w.warmHarder(ctx); err != nil {
		return err
	}
	harder := w.evidence.ElapsedNs
	if err := w.settle(ctx); err != nil {
		return err
	}
	if harder > 0 {
		w.evidence.SettleNs = w.evidence.ElapsedNs - harder
	}
	return nil
}

// settleCompilers makes the measured load until compilers are quiet under it, in processes whose compilers were quiet under that
// of another row: what that one did not call is compiled now, and what was compiled for it alone is compiled again.
func (s *sides) settleCompilers(ctx context.Context) error {
	w := &compilerWarmUp{sides: s, processes: s.withCompilers()}
	if s.spec.CompilersMostNs == 0 || len(w.processes) == 0 {
		return nil
	}
	return w.settle(ctx)
}

// settle makes the measured load, and adds the wait to the evidence.
func (w *compilerWarmUp) settle(ctx context.Context) error {
	if _, err := w.compile(ctx, w.left(), measuredWindow, func(*control.Load) {}); err != nil {
		return err
	}
	w.sides.evidence.Compilers = &w.evidence
	return nil
}

// withCompilers are the processes that say that they have a compiler to wait for.
func (s *sides) withCompilers() (processes []namedProcess) {
	for _, p := range s.both() {
		if p.Hello.GetCompilerPatienceNs() > 0 {
			processes = append(processes, p)
		}
	}
	return processes
}

// warmHarder makes more calls than the measured load, if the server allows it. Each load takes at most half of the time left, so
// that some is left for the measured load.
func (w *compilerWarmUp) warmHarder(ctx context.Context) error {
	open := w.spec.Load != plan.LoadClosed
	w.evidence.Closed = w.spec.Target == "" && (open || w.spec.Schedule != nil)
	if !w.evidence.Closed {
		return nil
	}
	perSec, err := w.compile(ctx, w.left()/2, hardWindow, func(load *control.Load) {
		load.Arrivals, load.PerSec, load.Stages = control.LoadClosed, 0, nil
	})
	perSec *= pacedPart
	if err != nil || !open || perSec <= w.spec.OfferedPerSec {
		return err
	}
	_, err = w.compile(ctx, w.left()/2, hardWindow, func(load *control.Load) { load.PerSec, load.Stages = perSec, nil })
	return err
}

// left returns the time left for compilers, in ns.
func (w *compilerWarmUp) left() int64 { return w.spec.CompilersMostNs - w.evidence.ElapsedNs }

// compile makes a load, for mostNs at the most, until compilers were quiet over a window of looks. It returns the calls per
// second.
func (w *compilerWarmUp) compile(
	ctx context.Context, mostNs int64, window int, change func(*control.Load),
) (perSec float64, err error) {
	if mostNs <= 0 { // the calls before were answered so late
		w.evidence.Quiet = false
		return 0, nil
	}
	watch := newCompilerWatch(w.processes, window)
	end := watch.begin(ctx)
	done, err := w.phaseOf(ctx, control.Warmup, func(client int) *control.Begin {
		begin := w.begin(control.Warmup, client)
		begin.DurationNs = mostNs
		change(begin.GetLoad())
		w.askForCourse(begin)
		begin.IntervalHistograms = true // every Done encodes histograms: that is to be compiled before the last warm-up's
		return begin
	}, watch.see)
	end(err)
	if err != nil {
		return 0, err
	}
	elapsed := int64(1)
	for i := range w.clients {
		keepFirst(&w.sides.evidence.Clients[i].Record, done[i])
		elapsed = max(elapsed, done[i].GetElapsedNs())
		perSec += float64(done[i].GetArrivals())
	}
	w.evidence.ElapsedNs += elapsed
	w.evidence.Share, w.evidence.Quiet = watch.share, watch.quiet.Load()
	return perSec / time.Duration(elapsed).Seconds(), nil
}
