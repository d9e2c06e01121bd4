package worker

import (
	"context"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	intervalLength = 100 * time.Millisecond // unless told otherwise
	windowLength   = time.Second
)

// A reporter sends Intervals.
type reporter struct {
	worker     *worker
	recorder   *record.Recorder
	edges      []time.Duration // where a window ends, besides each second; not reached yet
	begun      time.Time
	histograms bool          // of windows are sent beside their quantiles
	length     time.Duration // of an interval
	interval   time.Duration // when the open one began
	window     time.Duration
}

// every sends an interval as often as its length says, and at the edges, from each of which it counts anew.
func (r *reporter) every(ctx context.Context) {
	ticks := time.NewTicker(r.length)
	defer ticks.Stop()
	edge := time.NewTimer(r.untilEdge())
	defer edge.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-edge.C:
			r.edges = r.edges[1:]
			r.tick(true)
			edge.Reset(r.untilEdge())
			ticks.Reset(r.length)
		case <-ticks.C:
			if r.untilEdge() >= r.length/2 { // otherwise the edge's interval has it
				r.tick(false)
			}
		}
	}
}

// untilEdge is how long it is to the next edge, forever without one.
func (r *reporter) untilEdge() time.Duration {
	if len(r.edges) == 0 {
		return math.MaxInt64
	}
	return time.Until(r.begun.Add(r.edges[0]))
}

// tick sends the interval since the last tick, with quantiles when a window ends: where a second is full, or as asked.
func (r *reporter) tick(ends bool) {
	counts := r.recorder.Tick()
	now := time.Since(r.begun) // after the counts, so that all that they count was done by then
	interval := &control.Interval{
		StartNs: int64(r.interval), EndNs: int64(now), Ok: counts.OK, Errors: counts.Errors,
		InFlight: r.worker.client.pool.InFlight(), ResponseMeanNs: int64(counts.ResponseMean()),
	}
	if ends || now-r.window >= windowLength-r.length/2 {
		r.addResponse(interval, r.recorder.EndWindow(now))
		r.window = now
	}
	r.interval = now
	_ = r.worker.events.Write(interval) // when it can't be sent, the driver is gone
}

// addResponse sums up the responses of a window.
func (r *reporter) addResponse(interval *control.Interval, response *hdrhistogram.Histogram) {
	q := record.QuantilesOf(response)
	interval.Response = &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
	if r.histograms {
		interval.ResponseHistogram, _ = record.Encode(response) // it writes to memory, which does not fail
	}
}
