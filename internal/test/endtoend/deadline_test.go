package endtoend

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	"rpcbench/internal/stack"
)

// Every gRPC client on the JVM sends grpc-timeout where its option says so, and nothing where it does not. stacktest shows
// the same of those in Go.
func TestClientsOnTheJVMSendTheirDeadline(t *testing.T) {
	t.Parallel()
	grpcJava(t) // else they are not built
	lefts := make(chan time.Duration, 1000)
	address := serveBenchmark(t, grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			if deadline, ok := ctx.Deadline(); ok {
				lefts <- time.Until(deadline)
			} else {
				lefts <- 0
			}
			return next(ctx, request)
		}))
	workers, err := filepath.Glob("../../../bin/java/grpc-*/worker")
	if err != nil {
		t.Fatal(err)
	}
	clients := 0
	for _, worker := range workers {
		if needsAnotherJDK(t, worker) {
			continue
		}
		for _, info := range startCommand(t, worker).Hello.GetStacks() {
			if !info.GetCalls() || !slices.Contains(info.GetNetworks(), stack.NetworkTCP) {
				continue
			}
			clients++
			for _, option := range []string{"true", "false"} {
				c := command(info.GetName(), address)
				c.Call.RequestBytes, c.Call.ResponseBytes = 0, 0
				c.Options = map[string]string{stack.SendDeadline.Name: option}
				p := connectOn(t, startCommand(t, worker), c)
				for len(lefts) > 0 {
					<-lefts // of the call that opens a connection
				}
				wantAll(t, info.GetName(), measure(t, p, closed(5)), "OK", 5)
				for range 5 {
					left := <-lefts
					if sent := left > 0; sent != (option == "true") || left > time.Duration(c.Call.GetDeadlineNs()) {
						t.Errorf("%s with send_deadline %s: the server was told %v", info.GetName(), option, left)
					}
				}
			}
		}
	}
	if clients < 3 {
		t.Errorf("there are %d clients, want those of grpc-java and Armeria", clients)
	}
}

// needsAnotherJDK reports whether a worker's launcher finds no JDK that is late enough.
func needsAnotherJDK(t *testing.T, worker string) bool {
	t.Helper()
	err := exec.CommandContext(t.Context(), worker, "-version").Run()
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == 3
}
