package driver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
)

func clients(n, connections int) func(*plan.Spec) {
	return func(s *plan.Spec) { s.Clients, s.Connections, s.InFlight = n, connections, 1 }
}

// Calls, connections and rates that can't be divided are dealt, and the sum is what was asked for.
func TestClientsShareALoadExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(*plan.Spec)
		arrivals []int64
	}{
		"calls": {func(s *plan.Spec) { s.Calls = 301 }, []int64{151, 150}},
		"a constant rate": {func(s *plan.Spec) {
			s.Load, s.OfferedPerSec, s.Calls, s.DurationNs = plan.LoadConstant, 201, 0, int64(time.Second)
		}, []int64{101, 100}},
		"a schedule": {func(s *plan.Spec) {
			s.Load, s.OfferedPerSec, s.Calls, s.DurationNs = plan.LoadConstant, 200, 0, int64(time.Second/2)
			s.Schedule = &plan.Schedule{Name: "step", Stages: []plan.Stage{
				{From: 100, To: 100, LengthNs: int64(time.Second / 4)}, {From: 300, To: 300, LengthNs: int64(time.Second / 4)},
			}}
		}, []int64{50, 50}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			workers := workers("good")
			k, failed, err := run(t, workers, unary(clients(2, 3), c.change))
			if err != nil || failed != 0 || len(workers.started) != 3 {
				t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(workers.started), k.trials)
			}
			e := k.trials[0]
			for i, want := range c.arrivals {
				if got := e.Clients[i]; got.Arrivals != want || got.Outcomes[0] != (result.Outcome{Code: "OK", Calls: want}) {
					t.Errorf("client %d made %d calls, %v; want %d", i+1, got.Arrivals, got.Outcomes, want)
				}
			}
			if first, second := e.Clients[0].End.Sockets, e.Clients[1].End.Sockets; first != 2 || second != 1 {
				t.Errorf("the clients opened %d and %d connections, want 2 and 1", first, second)
			}
			if e.Servers[0].End.Sockets != 3 || e.WireCountedAt != "client" {
				t.Errorf("the server accepted %d connections, want 3; counted at %q", e.Servers[0].End.Sockets, e.WireCountedAt)
			}
			workers.gone(t)
		})
	}
}

// The connections of all clients together are dealt to servers as those of one would be.
func TestClientsConnectionsAreDealtOverServers(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launcher: workers("good")}, unary(clients(2, 4), func(s *plan.Spec) { s.Servers = 4 }))
	var accepted []int64
	for _, server := range e.Servers {
		accepted = append(accepted, server.End.Sockets)
	}
	if !slices.Equal(accepted, []int64{1, 1, 1, 1}) {
		t.Errorf("%s %s: the servers accepted %v connections, want one each", e.Status, e.Failure, accepted)
	}
}

func TestAClientsDeathEndsTheTrialByItsName(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	k := &kept{measured: func(plan.Trial) { workers.started[slices.Index(workers.stacks(), "faulty")].Kill() }}
	failed, err := k.run(t.Context(), workers, unary(endless, clients(2, 2), func(s *plan.Spec) { s.Stack = "faulty" }))
	if err != nil || failed != 1 {
		t.Fatalf("%d failed, %v", failed, err)
	}
	failure := k.trials[0].Failure
	first := "client 1 of 2: the worker ended; client 1 of 2: signal: killed"
	if second := strings.ReplaceAll(first, "client 1", "client 2"); failure != first && failure != second {
		t.Errorf("%q, want %q or of the other", failure, first)
	}
	workers.gone(t)
}

func TestAnInterruptionEndsAllClients(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	workers := workers("good")
	k := &kept{measured: func(plan.Trial) { cancel() }}
	failed, err := k.run(ctx, workers, unary(endless, clients(2, 2)))
	if !errors.Is(err, context.Canceled) || failed != 0 || len(k.trials) != 1 || len(workers.started) != 3 {
		t.Fatalf("%d failed, %v, %d trials of %d processes", failed, err, len(k.trials), len(workers.started))
	}
	for i, client := range k.trials[0].Clients {
		if !k.trials[0].Interrupted || client.Arrivals == 0 || client.StoppedNs == 0 {
			t.Errorf("client %d: %d calls, stopped at %d ns", i, client.Arrivals, client.StoppedNs)
		}
	}
	workers.gone(t)
}

func TestAClientWithoutAGoodCallFailsTheTrialByItsName(t *testing.T) {
	t.Parallel()
	refusing := unary(clients(2, 2), func(s *plan.Spec) { s.Stack = "faulty" })
	e := evidence(t, driver.Config{Launcher: workers("refuses")}, refusing)
	const want = "client 1 of 2: every call failed: PERMISSION_DENIED: not you"
	if e.Failure != want || e.FailureCode != result.FailureCalls {
		t.Errorf("%s, %q, want %q", e.FailureCode, e.Failure, want)
	}
}

// The clients' evidence is kept apart, and the histograms of its seconds are those of the phase.
func TestEveryClientsEvidenceIsWhole(t *testing.T) {
	t.Parallel()
	e := evidence(t, driver.Config{Launcher: workers("good"), Windows: 20, Profile: true, Evidence: t.TempDir()},
		unary(clients(2, 2), func(s *plan.Spec) { s.Security = stack.SecurityMTLS }))
	if e.Status != result.StatusOK || len(e.Clients) != 2 {
		t.Fatalf("%s %s, %d clients", e.Status, e.Failure, len(e.Clients))
	}
	for i, c := range e.Clients {
		var ok, inSeconds int64
		for _, interval := range c.Intervals {
			ok += interval.OK
			if interval.Response == nil {
				continue
			}
			h, err := result.DecodeHistogram(interval.ResponseHistogram)
			if err != nil {
				t.Fatal(err)
			}
			inSeconds += h.TotalCount()
		}
		if ok != c.Arrivals || inSeconds != c.Arrivals || c.Warmup == nil || c.First == nil || c.Library == "" || c.BegunNs < 0 {
			t.Errorf("client %d: %d calls, %d in intervals, %d in seconds: %+v", i+1, c.Arrivals, ok, inSeconds, c)
		}
	}
	if e.Clients[0].BegunNs != 0 && e.Clients[1].BegunNs != 0 {
		t.Errorf("no client was first: %d and %d ns", e.Clients[0].BegunNs, e.Clients[1].BegunNs)
	}
	want := []string{
		"t1-server-cpu.pprof", "t1-server-allocs.pprof", "t1-client-cpu.pprof", "t1-client-allocs.pprof",
		"t1-client-2-cpu.pprof", "t1-client-2-allocs.pprof",
	}
	if diff := cmp.Diff(want, e.Evidence); diff != "" {
		t.Error(diff)
	}
}
