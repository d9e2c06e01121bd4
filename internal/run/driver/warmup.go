package driver

import (
	"context"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// warmUp runs the measured load for a while, and for no more calls than are measured where they are counted.
func (s *sides) warmUp(ctx context.Context) error {
	w := &warming{least: s.spec.WarmupNs, most: max(s.spec.WarmupNs, s.spec.WarmupMostNs), counted: s.spec.Calls > 0}
	if w.most == 0 {
		return nil
	}
	if w.most > w.least {
		w.steady = s.Steady
	}
	begin := s.begin(control.Warmup)
	if !w.counted {
		begin.DurationNs = w.most
	}
	done, err := s.phase(ctx, begin, w.see)
	if err != nil {
		return err
	}
	keepFirst(s.evidence, done)
	s.evidence.Warmup = &result.Warmup{ElapsedNs: done.GetElapsedNs()}
	if w.steady != nil {
		s.evidence.Warmup.Steady = &w.isSteady
	}
	return nil
}

// A warming reads a warm-up's intervals, and tells when it has lasted long enough.
type warming struct {
	least, most int64                       // how long it may last, in ns
	counted     bool                        // the client ends it with the calls, but not with the longest
	steady      func(perSec []float64) bool // nil where the length is fixed

	perSec   []float64 // calls, in each interval
	isSteady bool      // at the end of the last interval that was judged
	over     bool
}

// see takes the next interval. Nothing is read from those that come once the end is called for, nor from the one in which
// the longest warm-up ends: they are cut off, and no call begins in a part of them.
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
