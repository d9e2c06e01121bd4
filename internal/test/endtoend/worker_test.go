package endtoend

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/httpwire"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// TestMain lets this test binary be the worker of all Go stacks.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		os.Setenv("GORACE", "atexit_sleep_ms=0") // workers with the race detector would sleep for a second when they end
		os.Exit(m.Run())
	}
	signal.Ignore(os.Interrupt)
	out, err := worker.TakeStdout()
	if err == nil {
		err = worker.Run(context.Background(), os.Stdin, out, stacks())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func stacks() []stack.Stack {
	return []stack.Stack{
		tcp.New(), grpcgo.New(), grpcwire.New(), connectgo.New(), connectgo.NewJSON(), httpjson.New(), httpwire.New(),
	}
}

// start starts a worker process of this binary.
func start(t *testing.T) *launch.Worker {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startCommand(t, self, "worker")
}

// startCommand starts a worker process, which must end well with the test, and leave nothing.
func startCommand(t *testing.T, command ...string) *launch.Worker {
	t.Helper()
	started, err := process.Start(process.Program{Command: command}, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch.Open(t.Context(), started)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("worker: %v; its last output: %s", err, p.LastWords())
		}
		if err := syscall.Kill(-started.PID(), 0); err == nil {
			t.Errorf("something is left of the process group %d", started.PID())
		}
	})
	return p
}

var plaintext = &control.Security{Mode: stack.SecurityPlaintext}

// serve starts a server in a process and returns where it listens.
func serve(t *testing.T, name string) (p *launch.Worker, address string) {
	t.Helper()
	p = start(t)
	return p, serveOn(t, p, name)
}

func serveOn(t *testing.T, p *launch.Worker, name string) (address string) {
	t.Helper()
	serving, err := p.Serve(t.Context(), &control.Serve{
		Stack: name, Network: stack.NetworkTCP, Address: "127.0.0.1:0", Security: plaintext, Payload: stack.PayloadRandom,
	})
	if err != nil {
		t.Fatal(err)
	}
	return serving.GetAddress()
}

// patience ends what hangs, and nothing else: a machine may stand still for a while.
const patience = 3 * time.Minute

// command makes the Connect of a stack's client: unary on one connection, unless it is changed.
func command(name, address string) *control.Connect {
	return &control.Connect{
		Stack: name, Network: stack.NetworkTCP, Addresses: []string{address}, Security: plaintext,
		Connections: 1, InFlight: 1,
		Call: &control.Call{
			Kind: stack.KindUnary, RequestBytes: 1000, ResponseBytes: 1000, Compression: stack.CompressionNone,
			Payload: stack.PayloadRandom, DeadlineNs: int64(patience),
		},
	}
}

// connect starts a client in a process.
func connect(t *testing.T, c *control.Connect) *launch.Worker {
	t.Helper()
	return connectOn(t, start(t), c)
}

func connectOn(t *testing.T, p *launch.Worker, c *control.Connect) *launch.Worker {
	t.Helper()
	if _, err := p.Connect(t.Context(), c); err != nil {
		t.Fatalf("%s, %s: %v", c.GetStack(), c.GetCall().GetKind(), err)
	}
	return p
}

// measure runs a phase, of which nobody wants the intervals.
func measure(t *testing.T, p *launch.Worker, begin *control.Begin) *control.Done {
	t.Helper()
	done, err := p.Begin(t.Context(), begin, func(*control.Interval) {})
	if err != nil {
		t.Fatalf("%v; last words: %s", err, p.LastWords())
	}
	return done
}

// closed is a closed load of so many calls.
func closed(calls int64) *control.Begin {
	return &control.Begin{
		Phase: control.Measured, Calls: calls, DrainNs: int64(patience), Load: &control.Load{Arrivals: "closed"},
	}
}

// wantAll wants all calls to have ended with one code.
func wantAll(t *testing.T, what string, done *control.Done, code string, calls int64) {
	t.Helper()
	outcomes := done.GetOutcomes()
	if len(outcomes) != 1 || outcomes[0].GetCode() != code || outcomes[0].GetCalls() != calls {
		t.Errorf("%s: outcomes %v, want %s=%d", what, outcomes, code, calls)
	}
}
