package endtoend

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"rpcbench/internal/results/result"
)

// withCpp runs the binary that make has built, with the worker in C++ beside it, and returns the trials. Without the
// worker the test is skipped.
func withCpp(t *testing.T, args ...string) []result.Trial {
	t.Helper()
	binaries, err := filepath.Abs("../../../bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(binaries, "cpp", "worker")); err != nil {
		t.Skip("make cpp builds what it needs")
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	args = append(args, "--set", "calls=20", "--set", "warmup=0s", "--trials", "1", "--no-floor", "--out", out)
	if text, err := exec.CommandContext(t.Context(), filepath.Join(binaries, "rpcbench"), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	file, err := result.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return file.Trials
}

// counted are the trials by what they measured, where all calls were good.
func counted(t *testing.T, trials []result.Trial) []string {
	t.Helper()
	found := map[string]bool{}
	for _, trial := range trials {
		s := trial.Spec
		if outcomes := trial.Clients[0].Outcomes; len(outcomes) != 1 || outcomes[0].Code != "OK" || outcomes[0].Calls != 20 {
			t.Errorf("%s %s: %+v, want 20 good calls", s.Stack, s.Kind, outcomes)
		}
		found[fmt.Sprintf("%s on %s: %s %dx%d batch %d", s.Stack, s.Server, s.Kind, s.Connections, s.InFlight, s.Batch)] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func TestCppRunsGRPCsOwnScenarios(t *testing.T) {
	t.Parallel()
	got := counted(t, append(withCpp(t, "run", "qps:cpp_protobuf_async_unary_ping_pong_insecure"),
		withCpp(t, "run", "qps:cpp_protobuf_sync_streaming_ping_pong_secure")...))
	want := []string{
		"grpc-cpp-async on grpc-cpp-callback: unary 1x1 batch 0", "grpc-cpp-async on grpc-cpp-sync: ping_pong 1x1 batch 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestCppRunsRogueDBsPatterns(t *testing.T) {
	t.Parallel()
	got := counted(t, withCpp(t, "run", "patterns", "--stacks", "grpc-cpp-callback"))
	var want []string
	for _, kind := range []string{"burst 1x1", "ping_pong 1x1", "ping_pong 1x64", "upload 1x1"} {
		for _, batch := range []int{1, 10, 100} {
			want = append(want, fmt.Sprintf("grpc-cpp-callback on grpc-cpp-callback: %s batch %d", kind, batch))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
