package driver_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/driver"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
)

// fakeMeter reads the same of every trial, and counts how often it was begun and ended.
type fakeMeter struct{ begun, ended atomic.Int32 }

var fakeUse = result.HostUse{
	ElapsedNs: 3e8, Hiccups: result.Hiccups{Count: 30, P50Ns: 60e3, P99Ns: 2e6, MaxNs: 2e6},
	CPU: &result.HostCPU{BusyNs: 2e8, IdleNs: 3e8, StealNs: 1e8}, DriverCPUNs: new(int64(1e6)), EnergyJoules: new(12.5),
}

func (m *fakeMeter) Begin() func() result.HostUse {
	m.begun.Add(1)
	return func() result.HostUse { m.ended.Add(1); return fakeUse }
}

func TestWhatTheHostDidIsEvidence(t *testing.T) {
	t.Parallel()
	for sort, status := range map[string]string{"good": result.StatusOK, "dies": result.StatusFailed} {
		meter := &fakeMeter{}
		e := evidence(t, driver.Config{Launch: launch(sort, nil), Meter: meter}, unary(func(s *plan.Spec) {
			s.Stack, s.WarmupNs = "faulty", 0
		}))
		if diff := cmp.Diff(&fakeUse, e.Host); diff != "" || e.Status != status {
			t.Errorf("%s: %s, %s (-want +got):\n%s", sort, e.Status, e.Failure, diff)
		}
		if begun, ended := meter.begun.Load(), meter.ended.Load(); begun != 1 || ended != 1 {
			t.Errorf("%s: the meter was begun %d and ended %d times", sort, begun, ended)
		}
	}
}

func TestThisHostIsMeteredOverTheMeasuredPhase(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launch: launch("good", nil), Meter: driver.NewMeter()}, unary())
	if e.Host == nil || e.Host.ElapsedNs < e.ElapsedNs {
		t.Fatalf("%s %s: host %+v of a phase of %d ns", e.Status, e.Failure, e.Host, e.ElapsedNs)
	}
	clients := e.Client.End.CPUUserNs + e.Client.End.CPUSystemNs - e.Client.Begin.CPUUserNs - e.Client.Begin.CPUSystemNs
	if c := e.Host.CPU; c == nil || c.BusyNs < clients/2 {
		t.Errorf("processors %+v, of which the client alone used %d ns", c, clients)
	}
	if h := e.Host.Hiccups; h.Count < 1 || h.MaxNs <= 0 {
		t.Errorf("hiccups %+v", h)
	}
}

func TestAWarmUpThatIsSteadyEndsEarly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steady      bool
		least, most time.Duration
	}{
		"steady": {true, 200 * time.Millisecond, time.Hour},
		"never":  {false, 100 * time.Millisecond, 400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fed []float64
			e := evidence(t, driver.Config{Launch: launch("good", nil), Steady: func(perSec []float64) bool {
				fed = slices.Clone(perSec)
				return c.steady && len(perSec) > 2
			}}, unary(func(s *plan.Spec) {
				s.WarmupNs, s.WarmupMostNs = c.least.Nanoseconds(), c.most.Nanoseconds()
				s.DurationNs = int64(100 * time.Millisecond)
			}))
			if e.Status != result.StatusOK || e.Warmup == nil || e.Warmup.Steady == nil || *e.Warmup.Steady != c.steady {
				t.Fatalf("%s %s, warm-up %+v, want steady %v", e.Status, e.Failure, e.Warmup, c.steady)
			}
			took, least, most := time.Duration(e.Warmup.ElapsedNs), c.least, c.most+time.Second
			if took < least || took > most || !c.steady && took < c.most-50*time.Millisecond {
				t.Errorf("it took %v of %v to %v", took, c.least, c.most)
			}
			if len(fed) == 0 || slices.Min(fed) <= 0 {
				t.Errorf("judged by the rates %v", fed)
			}
		})
	}
}

func TestAFixedWarmUpIsJudgedByNobody(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launch: launch("good", nil), Steady: func([]float64) bool {
		t.Error("it was asked whether it is steady")
		return true
	}}, unary(func(s *plan.Spec) { s.WarmupNs, s.WarmupMostNs = 2e8, 2e8 }))
	if w := e.Warmup; w == nil || w.Steady != nil || w.ElapsedNs < 15e7 || w.ElapsedNs > 15e8 {
		t.Errorf("%s %s: warm-up %+v", e.Status, e.Failure, w)
	}
	none := evidence(t, driver.Config{Launch: launch("good", nil)}, unary(func(s *plan.Spec) { s.WarmupNs = 0 }))
	if none.Warmup != nil || none.Host != nil {
		t.Errorf("warm-up %+v, host %+v; there was none, and nobody read", none.Warmup, none.Host)
	}
}

func TestAWarmUpUntilSteadyNeedsAJudge(t *testing.T) {
	t.Parallel()
	_, err := driver.Run(t.Context(), driver.Config{Trials: []plan.Trial{unary(func(s *plan.Spec) { s.WarmupMostNs = 1e9 })}})
	if err == nil || err.Error() != "a warm-up that ends when it is steady needs something that tells when" {
		t.Errorf("error %v", err)
	}
}
