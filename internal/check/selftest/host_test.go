package selftest

import (
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// beside is the activity in one second of a host with 2 processors, with hiccups of up to the given length.
func beside(busy, steal, hiccup time.Duration) []result.HostUse {
	return []result.HostUse{{
		ElapsedNs: 1e9, CPU: &result.HostCPU{BusyNs: int64(busy), IdleNs: int64(2*time.Second - busy - steal), StealNs: int64(steal)},
		WatchCPUNs: new(int64(1e6)), Hiccups: result.Hiccups{Count: 100, P50Ns: 5e4, P99Ns: 1e5, MaxNs: int64(hiccup)},
	}}
}

func TestADisturbanceIsToldByTheHostsMeter(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, c := range []struct {
		host []result.HostUse
		want string
	}{
		{nil, ""},
		{beside(500*ms, 19*ms, ms), ""},
		{beside(500*ms, 0, 1100*time.Microsecond), "an idle thread woke up 1.10 ms late (bound 1.00 ms)"},
		{beside(501*ms, 0, ms), "other processes used 25% of the processors' time (bound 25%)"},
		{beside(200*ms, 20*ms, ms), "the hypervisor gave 1.0% of the processors' time to other machines (bound 1%)"},
	} {
		trial := result.Trial{
			ID: "t1", Status: result.StatusOK, Spec: plan.Spec{Load: plan.LoadClosed}, Hosts: c.host,
			Clients: []result.Client{{Record: result.Record{Arrivals: 10,
				Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: 10}},
			}}},
		}
		if got := disturbanceOf(trial); got != c.want {
			t.Errorf("%+v: %q, want %q", c.host, got, c.want)
		}
	}
}

// Nothing that a host does makes a worker end.
func TestATrialWithoutFiguresIsNoHostsDoing(t *testing.T) {
	t.Parallel()
	grpc := stack.Info{Name: "grpc-go", Protocol: stack.ProtocolGRPC, Kinds: []string{stack.KindUnary}}
	trial := result.Trial{Status: result.StatusFailed, Failure: "client: the worker ended", Hosts: beside(0, 0, time.Second)}
	for _, l := range slowCalls(Pair{Client: grpc, Server: grpc}, Quick()).read(trial) {
		if l.OK() || l.Inconclusive() || l.Failure != trial.Failure {
			t.Errorf("%+v", l)
		}
	}
}
