package endtoend

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

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
func TestGRPCGoAndGRPCJavaPair(t *testing.T) {
	t.Parallel()
	worker := filepath.Join(grpcJava(t), "worker")
	server := launch(t, worker)
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
			t.Parallel()
			checkKind(t, "grpc-go", toJava, kind)
		})
		t.Run(javaNetty+" against grpc-go, "+kind, func(t *testing.T) {
			t.Parallel()
			checkKindOn(t, launch(t, worker), javaNetty, toGo, kind)
		})
	}
}

func infoOf(t *testing.T, p *control.Process, name string) *control.StackInfo {
	t.Helper()
	for _, info := range p.Hello.GetStacks() {
		if info.GetName() == name {
			return info
		}
	}
	t.Fatalf("the worker has no stack %s", name)
	return nil
}

var callsPerSecond = regexp.MustCompile(`(?m)^QPS: +([0-9]+)$`)

// The client of io.grpc:grpc-benchmarks fails where one call fails. The other of our grpc servers that it is to load
// stands in Java's own tests.
func TestGRPCJavasOwnBenchmarkClientLoadsOurServer(t *testing.T) {
	t.Parallel()
	libraries := filepath.Join(grpcJava(t), "lib", "*")
	_, address := serve(t, "grpc-go")
	for _, kind := range []string{"--streaming_rpcs=false", "--streaming_rpcs=true"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			client := exec.CommandContext(t.Context(), "java", "-cp", libraries, "io.grpc.benchmarks.qps.AsyncClient",
				"--address="+address, "--channels=2", "--outstanding_rpcs=3", "--client_payload=100", "--server_payload=200",
				"--duration=1", "--warmup_duration=0", kind)
			var said bytes.Buffer
			client.Stderr = &said
			out, err := client.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, said.Bytes())
			}
			line := callsPerSecond.FindSubmatch(out)
			if line == nil {
				t.Fatalf("there is no line of calls per second in %s", out)
			}
			if calls, err := strconv.Atoi(string(line[1])); err != nil || calls == 0 {
				t.Errorf("it made %s calls a second", line[1])
			}
		})
	}
}
