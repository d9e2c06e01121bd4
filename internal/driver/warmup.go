package driver

import (
	"context"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/result"
)

// warmUp runs the measured load for a while, and for no more calls than are measured where they are counted.
func (s *sides) warmUp(ctx context.Context) error {
	w := &warming{least: s.spec.WarmupNs, most: max(s.spec.WarmupNs, s.spec.WarmupMostNs), calls: s.spec.Calls}
	if w.most == 0 {
		return nil
	}
	if w.most > w.least {
		w.steady = s.Steady
	}
	begin := s.begin(control.Warmup)
	begin.DurationNs, begin.Calls = w.most, 0
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
	calls       int64                       // how many there may be; 0 has no limit
	steady      func(perSec []float64) bool // nil where the length is fixed

	made     int64
	perSec   []float64 // calls, in each interval
	isSteady bool      // at the end of the last interval that was judged
	over     bool
}

// see takes the next interval. Nothing is read from those that come once the end is called for, nor from the one in which
// the longest warm-up ends: they are cut off, and no call begins in a part of them.
func (w *warming) see(i *control.Interval) (enough bool) {
	if w.over || i.GetEndNs() > w.most || i.GetEndNs() <= i.GetStartNs() {
		return w.over
	}
	calls := i.GetOk() + i.GetErrors()
	w.made += calls
	w.perSec = append(w.perSec, float64(calls)/time.Duration(i.GetEndNs()-i.GetStartNs()).Seconds())
	w.isSteady = w.steady != nil && w.steady(w.perSec)
	w.over = w.calls > 0 && w.made >= w.calls || w.isSteady && i.GetEndNs() >= w.least
	return w.over
}
