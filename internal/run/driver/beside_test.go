package driver_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/meter"
)

// fakeMeter reads the same of every trial, and counts how often it was begun and ended.
type fakeMeter struct{ begun, ended atomic.Int32 }

var (
	fakeSeen = &control.Watched{
		ElapsedNs: 3e8, Hiccups: &control.Quantiles{Calls: 30, P50Ns: 60e3, P99Ns: 2e6, MaxNs: 2e6},
		BusyNs: new(int64(2e8)), IdleNs: new(int64(3e8)), StealNs: new(int64(1e8)), CpuNs: new(int64(1e6)), EnergyJoules: new(12.5),
	}
	fakeUse = []result.HostUse{{
		ElapsedNs: 3e8, Hiccups: result.Hiccups{Count: 30, P50Ns: 60e3, P99Ns: 2e6, MaxNs: 2e6},
		CPU: &result.HostCPU{BusyNs: 2e8, IdleNs: 3e8, StealNs: 1e8}, WatchCPUNs: new(int64(1e6)), EnergyJoules: new(12.5),
	}}
)

func (m *fakeMeter) Begin() func() *control.Watched {
	m.begun.Add(1)
	return func() *control.Watched { m.ended.Add(1); return fakeSeen }
}

func TestWhatTheHostDidIsEvidence(t *testing.T) {
	t.Parallel()
	for sort, status := range map[string]string{"good": result.StatusOK, "dies": result.StatusFailed} {
		watch := &fakeMeter{}
		e := evidence(t, driver.Config{Launcher: workers(sort), Meter: watch}, unary(func(s *plan.Spec) {
			s.Stack, s.WarmupNs = "faulty", 0
		}))
		if diff := cmp.Diff(fakeUse, e.Hosts); diff != "" || e.Status != status {
			t.Errorf("%s: %s, %s (-want +got):\n%s", sort, e.Status, e.Failure, diff)
		}
		if begun, ended := watch.begun.Load(), watch.ended.Load(); begun != 1 || ended != 1 {
			t.Errorf("%s: the meter was begun %d and ended %d times", sort, begun, ended)
		}
	}
}

func TestThisHostIsMeteredOverTheMeasuredPhase(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launcher: workers("good"), Meter: meter.New()}, unary())
	if len(e.Hosts) != 1 || e.Hosts[0].Host != "" || e.Hosts[0].ElapsedNs < e.Clients[0].ElapsedNs {
		t.Fatalf("%s %s: hosts %+v of a phase of %d ns", e.Status, e.Failure, e.Hosts, e.Clients[0].ElapsedNs)
	}
	if h := e.Hosts[0].Hiccups; (runtime.GOOS == "linux") != (e.Hosts[0].CPU != nil) || h.Count < 1 {
		t.Errorf("processors %+v, hiccups %+v", e.Hosts[0].CPU, h)
	}
}

func TestWhatWasNotAskedForIsAbsent(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launcher: workers("good")}, unary(func(s *plan.Spec) { s.WarmupNs = 0 }))
	if e.Clients[0].Warmup != nil || e.Hosts != nil {
		t.Errorf("warm-up %+v, host %+v; there was none, and nobody read", e.Clients[0].Warmup, e.Hosts)
	}
}

func TestAWarmUpUntilSteadyNeedsAJudge(t *testing.T) {
	t.Parallel()
	_, err := driver.Run(t.Context(), driver.Config{Trials: []plan.Trial{unary(func(s *plan.Spec) { s.WarmupMostNs = 1e9 })}})
	if err == nil || err.Error() != "a warm-up that ends when it is steady needs something that tells when" {
		t.Errorf("error %v", err)
	}
}
