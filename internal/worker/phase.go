package worker

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// runningPhase is the phase that runs, if one does.
type runningPhase struct {
	mu    sync.Mutex
	phase *load.Phase
}

// stop ends the phase that runs, if one does.
func (cl *client) stop(how *control.Stop) {
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	switch phase := cl.phase.phase; {
	case phase == nil:
	case how.DrainNs == nil:
		phase.Stop()
	default:
		phase.StopWithin(time.Duration(how.GetDrainNs()))
	}
}

// isRunning reports whether a phase runs.
func (cl *client) isRunning() bool {
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	return cl.phase.phase != nil
}

// begin starts a phase, which sends its Intervals and its Done itself.
func (w *worker) begin(c *control.Begin) error {
	if w.client == nil {
		return control.Faultf("begin", "there was no Connect before it")
	}
	cl := w.client
	schedule, err := scheduleOf(c, cl.slots())
	if err != nil {
		return err
	}
	length, err := lengthOf(c)
	if err != nil {
		return err
	}
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	if cl.phase.phase != nil {
		return control.Faultf("begin", "the previous phase is still running")
	}
	at := edges(schedule.Stages)
	recorder := record.New(record.Config{
		Shards: 2 * runtime.GOMAXPROCS(0), Open: schedule.Open(), Windows: int(c.GetWindows()), Edges: at,
		Codes: stack.Codes, Code: codeOf,
	})
	sink, each := cl.sinkFor(recorder)
	phase, err := cl.pool.Begin(schedule, time.Duration(c.GetDrainNs()), sink)
	if err != nil {
		return control.Faultf("begin", "%v", err)
	}
	phase.OnLate(func(slot, which int) { cl.parts[which].callLate(slot) })
	if cl.beside != nil {
		cl.beside.begin()
	}
	cl.phase.phase = phase
	go w.run(c, phase, each, &reporter{
		worker: w, recorder: recorder, edges: at, histograms: c.GetIntervalHistograms(), length: length,
	})
	return nil
}

// Intervals may be short enough to show changes within a phase of 300 ms, and as long as a window.
const minInterval = 5 * time.Millisecond

// lengthOf returns the length of intervals.
func lengthOf(c *control.Begin) (time.Duration, error) {
	length := cmp.Or(time.Duration(c.GetIntervalNs()), intervalLength)
	if length < minInterval || length > windowLength {
		return 0, control.Faultf("begin.interval_ns", "%v is not between %v and %v", length, minInterval, windowLength)
	}
	return length, nil
}

func codeOf(err error) int {
	if errors.Is(err, load.ErrDeadline) {
		return int(stack.DeadlineExceeded)
	}
	return int(stack.CodeOf(err))
}

// run runs the phase to its end, with its reports.
func (w *worker) run(c *control.Begin, phase *load.Phase, each []*record.Recorder, reports *reporter) {
	phase.Wait(w.ctx, time.Duration(c.GetDelayNs()))
	reports.begun = time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	reported := make(chan struct{})
	go func() { reports.every(ctx); close(reported) }()
	tally := phase.Run(w.ctx)
	cancel()
	<-reported
	reports.tick(true)
	answer := w.conclude(c, tally, reports.recorder, each)
	w.client.phase.mu.Lock()
	w.client.phase.phase = nil
	w.client.phase.mu.Unlock()
	_ = w.events.Write(answer) // when it can't be sent, the driver is gone, and end of input follows
}
