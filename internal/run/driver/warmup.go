package driver

import (
	"context"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// warmUp runs the measured load for a while, and for no more calls than are measured if those are counted. It ends when every
// client has warmed up.
func (s *sides) warmUp(ctx context.Context) error {
	if s.longestWarmUp() == 0 {
		return nil
	}
	warmings := make([]warming, len(s.clients))
	for i := range warmings {
		warmings[i] = warming{least: s.spec.WarmupNs, most: s.longestWarmUp(), counted: s.spec.Calls > 0}
		if s.longestWarmUp() > s.spec.WarmupNs {
			warmings[i].steady = s.Steady
		}
	}
	done, err := s.phase(ctx, control.Warmup, func(client int, interval *control.Interval) bool {
		return warmings[client].see(interval)
	})
	if err != nil {
		return err
	}
	for i := range s.clients {
		record := &s.evidence.Clients[i].Record
		keepFirst(record, done[i])
		record.Warmup = &result.Warmup{ElapsedNs: done[i].GetElapsedNs()}
		s.perSec += warmings[i].rate(done[i])
		if w := warmings[i]; w.steady != nil && len(w.perSec) > 0 {
			record.Warmup.Steady = &warmings[i].isSteady
		}
	}
	return nil
}

// longestWarmUp returns the maximum length of the warm-up, in ns.
func (s *sides) longestWarmUp() int64 { return max(s.spec.WarmupNs, s.spec.WarmupMostNs) }

// A warming reads a warm-up's intervals, and reports when it has lasted long enough.
type warming struct {
	least, most int64                       // how long it may last, in ns
	counted     bool                        // the client ends it with the calls, but not with the longest
	steady      func(perSec []float64) bool // nil where the length is fixed

	perSec   []float64 // calls, in each interval
	isSteady bool      // at the end of the last interval that was judged
	over     bool
}

// rate returns the calls per second at the end of the warm-up: in its last interval, or in all of it if no interval was complete.
func (w *warming) rate(done *control.Done) float64 {
	if len(w.perSec) > 0 {
		return w.perSec[len(w.perSec)-1]
	}
	return float64(done.GetArrivals()) / time.Duration(max(done.GetElapsedNs(), 1)).Seconds()
}

// see takes the next interval. It ignores intervals after the end was requested, and the one in which the maximum warm-up ends:
// they are cut off, and calls begin only in a part of them.
func (w *warming) see(i *control.Interval) (enough bool) {
	if w.over || i.GetEndNs() > w.most || i.GetEndNs() <= i.GetStartNs() {
		w.over = w.over || w.counted && i.GetEndNs() > w.most
		return w.over
	}
	calls := i.GetOk() + i.GetErrors()
	w.perSec = append(w.perSec, float64(calls)/time.Duration(i.GetEndNs()-i.GetStartNs()).Seconds())
	w.isSteady = w.steady != nil && w.steady(w.perSec)
	w.over = w.isSteady && i.GetEndNs() >= w.least || w.counted && i.GetEndNs() == w.most
	return w.over
}
