package worker

import (
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
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	if cl.phase.phase != nil {
		return control.Faultf("begin", "the phase before it still runs")
	}
	at := edges(schedule.Stages)
	recorder := record.New(record.Config{
		Shards: 2 * runtime.GOMAXPROCS(0), Open: schedule.Open(), Windows: int(c.GetWindows()), Edges: at,
		Codes: stack.Codes, Code: codeOf,
	})
	phase, err := cl.room.Begin(schedule, time.Duration(c.GetDrainNs()), recorder)
	if err != nil {
		return control.Faultf("begin", "%v", err)
	}
	phase.AtEnd(cl.endWindow)
	if cl.beside != nil {
		cl.beside.begin()
	}
	cl.phase.phase = phase
	go w.run(c, phase, recorder, at)
	return nil
}

func codeOf(err error) int {
	if errors.Is(err, load.ErrDeadline) {
		return int(stack.DeadlineExceeded)
	}
	return int(stack.CodeOf(err))
}

// run runs the phase to its end, with its reports.
func (w *worker) run(c *control.Begin, phase *load.Phase, recorder *record.Recorder, edges []time.Duration) {
	phase.Wait(w.ctx, time.Duration(c.GetDelayNs()))
	reports := &reporter{
		worker: w, recorder: recorder, edges: edges, begun: time.Now(), histograms: c.GetIntervalHistograms(),
	}
	ctx, cancel := context.WithCancel(context.Background())
	reported := make(chan struct{})
	go func() { reports.every(ctx); close(reported) }()
	tally := phase.Run(w.ctx)
	cancel()
	<-reported
	reports.tick(true)
	answer := w.conclude(c, tally, recorder)
	w.client.phase.mu.Lock()
	w.client.phase.phase = nil
	w.client.phase.mu.Unlock()
	_ = w.events.Write(answer) // when it can't be sent, the driver is gone, and end of input follows
}
