package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

// TestEchoHasTheNamesOfVanadium spells the padding out, as the functions of benchmark_test.go have it.
func TestEchoHasTheNamesOfVanadium(t *testing.T) {
	t.Parallel()
	var want []string
	for _, size := range []string{"____1B", "___10B", "__100B", "___1KB", "__10KB", "_100KB"} {
		want = append(want, "Benchmark"+size, "Benchmark__per_chunk"+size)
		for _, chunks := range []string{"____1", "___10", "__100", "___1K"} {
			want = append(want, "Benchmark"+chunks+"_chunk_"+size)
		}
	}
	for _, size := range []string{"___10B", "___1KB"} {
		for _, chunks := range []string{"__100", "___1K"} {
			for _, chunk := range []string{"___10B", "__100B", "___1KB", "__10KB"} {
				want = append(want, "Benchmark"+size+"_mux"+chunks+"_chunks"+chunk)
			}
		}
	}
	for _, listed := range []string{"Benchmark____1B", "Benchmark____1_chunk_____1B", "Benchmark___1K_chunk__100KB",
		"Benchmark__per_chunk____1B", "Benchmark___10B_mux__100_chunks___10B", "Benchmark___1KB_mux___1K_chunks__10KB"} {
		if !slices.Contains(want, listed) {
			t.Errorf("%s is not spelled as published", listed)
		}
	}
	var got []string
	for _, row := range reporttest.EchoFixture(t).Rows {
		if name, ok := strings.CutSuffix(goName(row), "/stack=grpc-go"); ok {
			got = append(got, name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 52 {
		t.Errorf("%d names (-want +got):\n%s", len(got), diff)
	}
}

func TestANameOfEchoTellsWhatVanadiumDidNotDo(t *testing.T) {
	t.Parallel()
	plain := plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", RequestBytes: 1000,
		ResponseBytes: 1000, Connections: 1, InFlight: 1, Load: "closed", Security: "plaintext", Network: "tcp"}
	const whole = "/stack=grpc-go/kind=%s/request_bytes=1000/response_bytes=1000/connections=1/in_flight=1"
	for _, test := range []struct {
		want, scenario string
		change         func(*plan.Spec)
	}{
		{"Benchmark___1KB/stack=grpc-go", "echo", func(*plan.Spec) {}},
		{"Benchmark___1KB/stack=grpc-go/security=mtls", "echo", func(s *plan.Spec) { s.Security = "mtls" }},
		{"Benchmark___1KB/stack=grpc-go/connections=2/in_flight=1", "echo", func(s *plan.Spec) { s.Connections = 2 }},
		{"Benchmark___1KB/file=b.jsonl/stack=grpc-go", "echo [b.jsonl]", func(*plan.Spec) {}},
		{"Benchmark___1K_chunk____1KB/stack=grpc-go/options=a=b", "echo", func(s *plan.Spec) {
			s.Kind, s.Messages, s.Options = "stream", 1000, map[string]string{"a": "b"}
		}},
		{"Benchmark__per_chunk___1KB/stack=grpc-go/connections=1/in_flight=8", "echo", func(s *plan.Spec) {
			s.Kind, s.Streams, s.InFlight = "ping_pong", 1, 8
		}},
		{"BenchmarkEcho" + fmt.Sprintf(whole, "upload"), "echo", func(s *plan.Spec) { s.Kind = "upload" }},
		{"BenchmarkMine" + fmt.Sprintf(whole, "unary"), "mine", func(*plan.Spec) {}},
	} {
		spec := plain
		test.change(&spec)
		if got := goName(&analysis.Row{Key: analysis.KeyOf(test.scenario, spec), Spec: spec}); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestEchoIsSealed(t *testing.T) {
	t.Parallel()
	r := reporttest.EchoFixture(t)
	reporttest.Golden(t, "echo.bench", printed(t, GoBench, r))
	few := *r
	few.Rows = slices.Clone(r.Rows[:4])
	few.Rows[2] = &analysis.Row{Key: r.Rows[2].Key, Spec: r.Rows[2].Spec}
	reporttest.Golden(t, "echo.histogram", printed(t, Histogram, &few))
}

func TestGoBenchHasTheUnitsOfGoTest(t *testing.T) {
	t.Parallel()
	text := string(printed(t, GoBench, reporttest.EchoFixture(t)))
	// The floor's half second has 25,773 calls of 2 x 1 kB, which allocated 2,048 B each.
	want := "Benchmark___1KB/stack=tcp-2\t25773\t19400.1 ns/op\t103.092 MB/s\t2048 B/op\t"
	if at := strings.Index(text, "Benchmark___1KB/stack=tcp-2"); at < 0 || !strings.HasPrefix(text[at:], want) {
		t.Errorf("no line begins with %q:\n%s", want, text[max(at, 0):][:200])
	}
	// A background's allocations are nobody's.
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		if mux := strings.Contains(line, "_mux_"); mux == strings.Contains(line, "allocs/op") {
			t.Errorf("beside a stream %v, and allocs/op: %s", mux, line)
		}
	}
}

func TestBackgroundsStandInTheOrderOfTheirSizes(t *testing.T) {
	t.Parallel()
	var got []string
	for _, row := range reporttest.EchoFixture(t).Rows {
		if row.Spec.Background != nil && row.Spec.RequestBytes == 10 {
			got = append(got, naming.Beside(row.Spec))
		}
	}
	want := []string{"stream 100 × 10 B", "stream 100 × 100 B", "stream 100 × 1 kB", "stream 100 × 10 kB",
		"stream 1,000 × 10 B", "stream 1,000 × 100 B", "stream 1,000 × 1 kB", "stream 1,000 × 10 kB"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
