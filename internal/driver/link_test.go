package driver_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/driver"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
	"rpcbench/internal/stack"
)

func TestConnectionsAreDealtOverSeveralServers(t *testing.T) {
	t.Parallel()
	var pids []int
	k, failed, err := run(t.Context(), t, launch("good", &pids), unary(func(s *plan.Spec) {
		s.Servers, s.Connections, s.InFlight, s.DurationNs, s.Calls = 3, 6, 1, 0, 300
	}))
	if err != nil || failed != 0 || len(pids) != 4 {
		t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(pids), k.trials)
	}
	e := k.trials[0]
	if sockets := e.Server.End.Sockets; sockets != 6 {
		t.Errorf("the servers accepted %d connections together, want 6", sockets)
	}
	sent := *e.Client.End.BytesOut - *e.Client.Begin.BytesOut
	if received := *e.Server.End.BytesIn - *e.Server.Begin.BytesIn; sent != received || sent < 300*100 {
		t.Errorf("%d bytes sent, %d received by all servers", sent, received)
	}
	if e.Relay != nil {
		t.Errorf("a relay %+v without a link", e.Relay)
	}
	gone(t, pids)
}

func TestALinkDelaysCallsAndIsEvidence(t *testing.T) {
	t.Parallel()
	for _, network := range []string{stack.NetworkTCP, stack.NetworkUnix} {
		var pids []int
		k, failed, err := run(t.Context(), t, launch("good", &pids), unary(func(s *plan.Spec) {
			s.Network, s.Servers, s.Connections, s.InFlight, s.DurationNs, s.Calls = network, 2, 2, 1, 0, 20
			s.Link = &plan.Link{RTTNs: int64(20 * time.Millisecond)}
		}))
		if err != nil || failed != 0 || len(pids) != 4 {
			t.Fatalf("%s: %d failed, %v, %d processes; trials %+v", network, failed, err, len(pids), k.trials)
		}
		e := k.trials[0]
		h, err := result.DecodeHistogram(e.Histograms[result.HistResponse])
		if err != nil || time.Duration(h.Min()) < 19*time.Millisecond {
			t.Errorf("%s: %v; the shortest call took %v, want the 20 ms of the link", network, err, time.Duration(h.Min()))
		}
		sent := *e.Client.End.BytesOut - *e.Client.Begin.BytesOut
		got := *e.Client.End.BytesIn - *e.Client.Begin.BytesIn
		if r := e.Relay; r == nil || r.UpBytes != sent || r.DownBytes != got || r.LateMaxNs < r.LateP99Ns || r.LateMaxNs == 0 ||
			r.CPUNs <= 0 || r.WaitCPUNs > r.CPUNs || r.ElapsedNs < e.ElapsedNs {
			t.Errorf("%s: relay %+v of %d bytes sent and %d received in %d ns", network, r, sent, got, e.ElapsedNs)
		}
		gone(t, pids)
	}
}

func TestALinksBandwidthIsShared(t *testing.T) {
	t.Parallel()
	k, failed, err := run(t.Context(), t, launch("good", nil), unary(func(s *plan.Spec) {
		s.Connections, s.InFlight, s.RequestBytes, s.ResponseBytes, s.WarmupNs = 4, 1, 10_000, 0, 0
		s.DurationNs, s.Calls = 0, 40
		s.Link = &plan.Link{UpBytesPerSec: 1e6}
	}))
	if err != nil || failed != 0 {
		t.Fatalf("%d failed, %v, %+v", failed, err, k.trials)
	}
	if took := time.Duration(k.trials[0].ElapsedNs); took < 350*time.Millisecond {
		t.Errorf("400 kB over a link of 1 MB/s took %v", took)
	}
}

func TestALinkLeadsToAServerThatRunsAlready(t *testing.T) {
	t.Parallel()
	server, err := launch("good", nil)(t.Context(), driver.Worker{Stack: "tcp"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	serving, err := server.Serve(t.Context(), &control.Serve{
		Stack: "tcp", Network: "tcp", Address: "127.0.0.1:0", Payload: "random", Seed: 1,
		Security: &control.Security{Mode: "plaintext"},
	})
	if err != nil {
		t.Fatal(err)
	}
	k, failed, err := run(t.Context(), t, launch("good", nil), unary(func(s *plan.Spec) {
		s.Server, s.Target, s.DurationNs, s.Calls = "", serving.GetAddress(), 0, 5
		s.Link = &plan.Link{RTTNs: int64(10 * time.Millisecond)}
	}))
	if err != nil || failed != 0 {
		t.Fatalf("%d failed, %v, %+v", failed, err, k.trials)
	}
	if e := k.trials[0]; e.Server.End != nil || e.Relay == nil || e.Relay.UpBytes < 500 {
		t.Errorf("server %+v, relay %+v", e.Server, e.Relay)
	}
}

// A link that is killed ends its trial at once, not at the end of its hour.
func TestALinksDeathEndsTheTrial(t *testing.T) {
	t.Parallel()
	good := launch("good", nil)
	var mu sync.Mutex
	asked := map[string]int{}
	killing := func(ctx context.Context, w driver.Worker) (*control.Process, error) {
		p, err := good(ctx, w)
		mu.Lock()
		defer mu.Unlock()
		asked[w.Stack]++
		if err == nil && w.Stack == "" {
			time.AfterFunc(500*time.Millisecond, p.Kill)
		}
		return p, err
	}
	begun := time.Now()
	k, failed, err := run(t.Context(), t, killing, unary(func(s *plan.Spec) {
		s.DurationNs = int64(time.Hour)
		s.Link = &plan.Link{RTTNs: int64(time.Millisecond)}
	}))
	if err != nil || failed != 1 || !strings.HasPrefix(k.trials[0].Failure, "link: the worker ended") {
		t.Errorf("%d failed, %v: %q", failed, err, k.trials[0].Failure)
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("the trial took %v", took)
	}
	if asked["tcp"] != 2 || asked[""] != 1 {
		t.Errorf("started for the stacks %v, want tcp twice and one without a stack", asked)
	}
}
