package worker

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/load"
	"rpcbench/internal/record"
	"rpcbench/internal/stack"
)

const (
	intervalLength = 100 * time.Millisecond
	windowLength   = time.Second
)

// runningPhase is the phase that runs, if one does.
type runningPhase struct {
	mu    sync.Mutex
	phase *load.Phase
}

func (cl *client) stop() {
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	if cl.phase.phase != nil {
		cl.phase.phase.Stop()
	}
}

// begin starts a phase, which sends its Intervals and its Done itself.
func (w *worker) begin(c *control.Begin) error {
	if w.client == nil {
		return control.Faultf("begin", "there was no Connect before it")
	}
	schedule, err := scheduleOf(c)
	if err != nil {
		return err
	}
	cl := w.client
	cl.phase.mu.Lock()
	defer cl.phase.mu.Unlock()
	if cl.phase.phase != nil {
		return control.Faultf("begin", "the phase before it still runs")
	}
	recorder := record.New(record.Config{
		Shards: 2 * runtime.GOMAXPROCS(0), Open: schedule.Open(), Windows: int(c.GetWindows()),
		Codes: int(stack.Mismatch) + 1, Code: codeOf,
	})
	phase, err := cl.room.Begin(schedule, time.Duration(c.GetDrainNs()), recorder)
	if err != nil {
		return control.Faultf("begin", "%v", err)
	}
	if cl.beside != nil {
		cl.beside.begin()
	}
	cl.phase.phase = phase
	go w.run(c, phase, recorder)
	return nil
}

func codeOf(err error) int {
	if errors.Is(err, load.ErrDeadline) {
		return int(stack.DeadlineExceeded)
	}
	return int(stack.CodeOf(err))
}

// scheduleOf reads the load of a Begin.
func scheduleOf(c *control.Begin) (load.Schedule, error) {
	l := c.GetLoad()
	schedule := load.Schedule{
		PerSec: l.GetPerSec(), Seed: l.GetSeed(), Poisson: l.GetArrivals() == "poisson",
		Limit: load.Limit{Duration: time.Duration(c.GetDurationNs()), Calls: c.GetCalls()},
	}
	closed := l.GetArrivals() == "closed"
	switch {
	case !closed && !schedule.Poisson && l.GetArrivals() != "constant":
		return schedule, control.Faultf("begin.load.arrivals", "%q is none of closed, constant, poisson", l.GetArrivals())
	case closed != (l.GetPerSec() == 0) || l.GetPerSec() < 0 || math.IsInf(l.GetPerSec(), 0) || math.IsNaN(l.GetPerSec()):
		return schedule, control.Faultf("begin.load.per_sec", "%v does not go with %s", l.GetPerSec(), l.GetArrivals())
	case c.GetPhase() != control.Warmup && c.GetPhase() != control.Measured:
		return schedule, control.Faultf("begin.phase", "%v is no phase", c.GetPhase())
	case (c.GetDurationNs() > 0) == (c.GetCalls() > 0) || c.GetDurationNs() < 0 || c.GetCalls() < 0:
		return schedule, control.Faultf("begin.duration_ns", "it needs exactly one of duration_ns and calls")
	case c.GetDrainNs() < 0:
		return schedule, control.Faultf("begin.drain_ns", "it can't be negative")
	}
	return schedule, stagesOf(l, &schedule)
}

// stagesOf reads how a load's rate changes.
func stagesOf(l *control.Load, schedule *load.Schedule) error {
	for _, s := range l.GetStages() {
		switch {
		case !schedule.Open():
			return control.Faultf("begin.load.stages", "a closed load has none")
		case !isRate(s.GetFromPerSec()) || !isRate(s.GetToPerSec()) || s.GetLengthNs() <= 0:
			return control.Faultf("begin.load.stages", "%v is no stage", s)
		}
		schedule.Stages = append(schedule.Stages, load.Stage{
			From: s.GetFromPerSec(), To: s.GetToPerSec(), Length: time.Duration(s.GetLengthNs()),
		})
	}
	return nil
}

// run runs the phase to its end, with its reports.
func (w *worker) run(c *control.Begin, phase *load.Phase, recorder *record.Recorder) {
	reports := &reporter{worker: w, recorder: recorder, begun: time.Now()}
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

// A reporter sends Intervals.
type reporter struct {
	worker   *worker
	recorder *record.Recorder
	begun    time.Time
	interval time.Duration // when the open one began
	window   time.Duration
}

func (r *reporter) every(ctx context.Context) {
	ticks := time.NewTicker(intervalLength)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			r.tick(false)
		}
	}
}

// tick sends the interval since the last tick, with quantiles when a second is full, or at the end.
func (r *reporter) tick(last bool) {
	now := time.Since(r.begun)
	counts := r.recorder.Tick()
	interval := &control.Interval{
		StartNs: int64(r.interval), EndNs: int64(now), Ok: counts.OK, Errors: counts.Errors,
		InFlight: r.worker.client.room.InFlight(),
	}
	if last || now-r.window >= windowLength-intervalLength/2 {
		q := r.recorder.EndWindow(now)
		interval.Response = &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
		r.window = now
	}
	r.interval = now
	_ = r.worker.events.Write(interval) // as above
}
