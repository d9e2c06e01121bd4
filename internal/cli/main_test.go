package cli_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"rpcbench/internal/cli"
	"rpcbench/internal/run/leash"
	servers "rpcbench/internal/run/program"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/httpwire"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
)

// raceOptions keep a process with the race detector from sleeping for a second when it ends.
const raceOptions = "atexit_sleep_ms=0"

// TestMain lets a copy of this test binary be rpcbench, in scripts and as the worker that run starts.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", raceOptions)
	os.Unsetenv("COLUMNS") // a report is as wide as on a machine that says nothing of it
	testscript.Main(m, map[string]func(){
		"rpcbench":  rpcbench,
		"elsewhere": elsewhere,
		"gated":     gated,
		"virtual":   virtual,
	})
}

func rpcbench() {
	if patience, err := time.ParseDuration(os.Getenv(methodsPatience)); err == nil {
		cli.WaitForMethods(patience)
	}
	os.Exit(cli.Main(os.Args[1:], stacks(), work))
}

// methodsPatience is the variable that tells rpcbench how long a completion waits for a server's methods: on a busy machine these
// may take longer than anybody waits at a prompt.
const methodsPatience = "METHODS_PATIENCE"

// work is as in cmd/rpcbench.
func work(ctx context.Context, stacks []stack.Stack, _ bool) error {
	out, err := worker.TakeStdout()
	if err != nil {
		return err
	}
	through, err := leash.Through()
	if err != nil {
		return err
	}
	return worker.Run(ctx, os.Stdin, out, stacks, worker.WithPrograms(servers.Starter{Through: through}, func() { os.Exit(1) }))
}

// stacks are those of the real binary.
func stacks() []stack.Stack {
	return []stack.Stack{
		tcp.New(), grpcgo.New(), grpcwire.New(), connectgo.New(), connectgo.NewJSON(), httpjson.New(), httpwire.New(), codec.New(),
	}
}

// patience is how long a test waits for what happens by itself, however slow the machine is: until shortly before go test
// ends all tests, so that what hangs is named, and what it started is ended.
func patience(t *testing.T) time.Duration {
	t.Helper()
	if end, ok := t.Deadline(); ok {
		return time.Until(end) - 10*time.Second
	}
	return time.Hour
}
