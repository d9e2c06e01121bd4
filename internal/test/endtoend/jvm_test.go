package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/worker/control"
)

const javaNetty = "grpc-java-netty"

// grpcJava is the folder of the worker that hosts the grpc-java stacks. Without it the test is skipped.
func grpcJava(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../../../bin/java/grpc-java")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "worker")); err != nil {
		t.Skip("make java builds what it needs")
	}
	return folder
}

// Conform pairs a stack with itself where it can, and with a Go stack only where it lacks a side.
//
//nolint:tparallel // JVMs that start side by side take one another's time to connect
func TestGRPCGoAndGRPCJavaPair(t *testing.T) {
	t.Parallel()
	worker := filepath.Join(grpcJava(t), "worker")
	server := startCommand(t, worker)
	toJava, java := serveOn(t, server, javaNetty), infoOf(t, server, javaNetty)
	_, toGo := serve(t, "grpc-go")
	kinds := slices.DeleteFunc(slices.Clone(grpcgo.New().Info().Kinds), func(kind string) bool {
		return !slices.Contains(java.GetKinds(), kind)
	})
	if !slices.Contains(kinds, stack.KindUnary) || !slices.Contains(kinds, stack.KindStream) {
		t.Errorf("both do %v only", kinds)
	}
	for _, kind := range kinds {
		t.Run("grpc-go against "+javaNetty+", "+kind, func(t *testing.T) {
			checkKind(t, "grpc-go", toJava, kind)
		})
		t.Run(javaNetty+" against grpc-go, "+kind, func(t *testing.T) {
			checkKindOn(t, startCommand(t, worker), javaNetty, toGo, kind)
		})
	}
}

func infoOf(t *testing.T, p *launch.Worker, name string) *control.StackInfo {
	t.Helper()
	for _, info := range p.Hello.GetStacks() {
		if info.GetName() == name {
			return info
		}
	}
	t.Fatalf("the worker has no stack %s", name)
	return nil
}

// The client of io.grpc:grpc-benchmarks fails where one call fails. The other of our grpc servers that it is to load
// stands in Java's own tests.
func TestGRPCJavasOwnBenchmarkClientLoadsOurServer(t *testing.T) {
	t.Parallel()
	libraries := filepath.Join(grpcJava(t), "lib", "*")
	for _, kind := range []string{"--streaming_rpcs=false", "--streaming_rpcs=true"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			const channels, inFlight, bytesUp = 2, 3, 100
			server, address := serve(t, "grpc-go")
			client := exec.CommandContext(t.Context(), "java", "-cp", libraries, "io.grpc.benchmarks.qps.AsyncClient",
				"--address="+address, fmt.Sprintf("--channels=%d", channels), fmt.Sprintf("--outstanding_rpcs=%d", inFlight),
				fmt.Sprintf("--client_payload=%d", bytesUp), "--server_payload=200", "--duration=1", "--warmup_duration=0", kind)
			var said bytes.Buffer
			client.Stderr = &said
			out, err := client.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, said.Bytes())
			}
			if !callsPerSecond.Match(out) {
				t.Fatalf("there is no line of calls per second in %s", out)
			}
			// However short its second is here, it makes each of the calls that it may have in flight once.
			if s := mark(t, server); s.GetSockets() != channels || s.GetBytesIn() < channels*inFlight*bytesUp {
				t.Errorf("the server got %d bytes on %d sockets", s.GetBytesIn(), s.GetSockets())
			}
		})
	}
}

var callsPerSecond = regexp.MustCompile(`(?m)^QPS: +[0-9]+$`)
