package driver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

func TestConnectionsAreDealtOverSeveralServers(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	k, failed, err := run(t, workers, unary(func(s *plan.Spec) {
		s.Servers, s.Connections, s.InFlight = 3, 6, 1
	}))
	if err != nil || failed != 0 || len(workers.started) != 4 {
		t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(workers.started), k.trials)
	}
	e := k.trials[0]
	var received int64
	for i, server := range e.Servers {
		received += *server.End.BytesIn - *server.Begin.BytesIn
		if sockets := server.End.Sockets; sockets != 2 {
			t.Errorf("server %d accepted %d connections of 6, want 2", i, sockets)
		}
	}
	if sent := *e.Clients[0].End.BytesOut - *e.Clients[0].Begin.BytesOut; sent != received || sent < 300*100 {
		t.Errorf("%d bytes sent, %d received by all servers", sent, received)
	}
	if e.Relay != nil {
		t.Errorf("a relay %+v without a link", e.Relay)
	}
	workers.gone(t)
}

func TestALinkDelaysCallsAndIsEvidence(t *testing.T) {
	t.Parallel()
	for _, network := range []string{stack.NetworkTCP, stack.NetworkUnix} {
		workers := workers("good")
		k, failed, err := run(t, workers, unary(func(s *plan.Spec) {
			s.Network, s.Servers, s.Connections, s.InFlight, s.Calls = network, 2, 2, 1, 20
			s.Link = &plan.Link{RTTNs: int64(20 * time.Millisecond)}
		}))
		if err != nil || failed != 0 || len(workers.started) != 4 {
			t.Fatalf("%s: %d failed, %v, %d processes; trials %+v", network, failed, err, len(workers.started), k.trials)
		}
		e := k.trials[0]
		h, err := result.DecodeHistogram(e.Clients[0].Histograms[result.HistResponse])
		if err != nil || time.Duration(h.Min()) < 19*time.Millisecond {
			t.Errorf("%s: %v; the shortest call took %v, want the 20 ms of the link", network, err, time.Duration(h.Min()))
		}
		sent := *e.Clients[0].End.BytesOut - *e.Clients[0].Begin.BytesOut
		got := *e.Clients[0].End.BytesIn - *e.Clients[0].Begin.BytesIn
		if r := e.Relay; r == nil || r.UpBytes != sent || r.DownBytes != got || r.ElapsedNs < e.Clients[0].ElapsedNs {
			t.Errorf("%s: relay %+v of %d bytes sent and %d received in %d ns", network, r, sent, got, e.Clients[0].ElapsedNs)
		}
		workers.gone(t)
	}
}

func TestALinksBandwidthIsShared(t *testing.T) {
	t.Parallel()
	k, failed, err := run(t, workers("good"), unary(func(s *plan.Spec) {
		s.Connections, s.InFlight, s.RequestBytes, s.ResponseBytes, s.WarmupNs = 4, 1, 10_000, 0, 0
		s.Calls = 40
		s.Link = &plan.Link{UpBytesPerSec: 1e6}
	}))
	if err != nil || failed != 0 {
		t.Fatalf("%d failed, %v, %+v", failed, err, k.trials)
	}
	if took := time.Duration(k.trials[0].Clients[0].ElapsedNs); took < 400*time.Millisecond {
		t.Errorf("400 kB over a link of 1 MB/s took %v", took)
	}
}

func TestALinkLeadsToAServerThatRunsAlready(t *testing.T) {
	t.Parallel()
	server, err := launch.Start(t.Context(), workers("good"), launch.Order{Stack: "tcp"})
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
	k, failed, err := run(t, workers("good"), unary(func(s *plan.Spec) {
		s.Server, s.Target, s.Calls = "", serving.GetAddress(), 5
		s.Link = &plan.Link{RTTNs: int64(10 * time.Millisecond)}
	}))
	if err != nil || failed != 0 {
		t.Fatalf("%d failed, %v, %+v", failed, err, k.trials)
	}
	if e := k.trials[0]; e.Servers != nil || e.Relay == nil || e.Relay.UpBytes < 500 {
		t.Errorf("server %+v, relay %+v", e.Servers, e.Relay)
	}
}

// A link that is killed ends its trial, which has an hour to go.
func TestALinksDeathEndsTheTrial(t *testing.T) {
	t.Parallel()
	failure, started := runKilling(t, "", func(s *plan.Spec) { s.Link = &plan.Link{RTTNs: int64(time.Millisecond)} })
	if !strings.HasPrefix(failure, "link: the worker ended") {
		t.Errorf("%q", failure)
	}
	if want := []string{"", "tcp", "tcp"}; !slices.Equal(started, want) {
		t.Errorf("started for the stacks %q, want %q", started, want)
	}
}
