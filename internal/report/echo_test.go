package report

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/result"
)

var echoSizes = []int{1, 10, 100, 1000, 10_000, 100_000}

// echoPoints are the 52 cases of the scenario echo.
func echoPoints() []scene {
	var cases []scene
	add := func(title string, p50Ns float64, change func(*plan.Spec)) {
		p := scene{title: title, spec: points()[1].spec, p50Ns: p50Ns, perSec: 1e9 / p50Ns, cpuNs: p50Ns / 2}
		change(&p.spec)
		cases = append(cases, p)
	}
	for _, size := range echoSizes {
		sized := func(s *plan.Spec) { s.RequestBytes, s.ResponseBytes = size, size }
		add("Echo", 20e3, sized)
		for _, messages := range []int{1, 10, 100, 1000} {
			add("Streams", 30e3*float64(messages), func(s *plan.Spec) {
				sized(s)
				s.Kind, s.Messages = "stream", messages
			})
		}
		add("Per chunk", 200e3, func(s *plan.Spec) {
			sized(s)
			s.Kind, s.InFlight, s.Streams = "ping_pong", 64, 1
		})
	}
	for _, size := range []int{10, 1000} {
		for _, messages := range []int{100, 1000} {
			for _, chunk := range echoSizes[1:5] {
				beside := plan.Background{Kind: "stream", RequestBytes: chunk, ResponseBytes: chunk, Messages: messages}
				add("Beside", 300e3, func(s *plan.Spec) {
					s.RequestBytes, s.ResponseBytes, s.Background = size, size, &beside
				})
			}
		}
	}
	return cases
}

var (
	echoOnce   sync.Once
	echoReport *analysis.Report
)

// echoFixture is a run of two trials, made once. Nobody may change it.
func echoFixture(t *testing.T) *analysis.Report {
	t.Helper()
	echoOnce.Do(func() { echoReport = echoRun(t, 2, nil) })
	return echoReport
}

// echoRun is a run of echo over the floor and grpc-go, of so many trials.
func echoRun(t *testing.T, trials int, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "echo.jsonl", Header: result.Header{
		Created: created, Seed: 1, Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "echo", Question: "What does an echo cost?", Trials: trials,
			Cases: []string{"Echo", "Streams", "Per chunk", "Beside"}}},
	}}
	for i, p := range echoPoints() {
		for _, model := range models[:2] {
			if p.spec.Background != nil && model.name == "tcp" {
				continue
			}
			for repetition := 1; repetition <= trials; repetition++ {
				trial := invent(t, p, model, repetition)
				trial.ID += string(rune('a' + i))
				trial.Cases[0].Scenario = "echo"
				allocated, zero := trial.Clients[0].Arrivals*2048, int64(0)
				trial.Clients[0].Begin.AllocatedBytes, trial.Clients[0].End.AllocatedBytes = &zero, &allocated
				if change != nil {
					change(&trial)
				}
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return built(t, file)
}

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
	for _, row := range echoFixture(t).Rows {
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
	r := echoFixture(t)
	golden(t, "echo.bench", printed(t, FormatGoBench, r, Options{}))
	golden(t, "echo.txt", printed(t, FormatText, r, Options{}))
	few := *r
	few.Rows = slices.Clone(r.Rows[:4])
	few.Rows[2] = &analysis.Row{Key: r.Rows[2].Key, Spec: r.Rows[2].Spec}
	golden(t, "echo.histogram", printed(t, FormatHistogram, &few, Options{}))
}

func TestGoBenchHasTheUnitsOfGoTest(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatGoBench, echoFixture(t), Options{}))
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
	for _, row := range echoFixture(t).Rows {
		if row.Spec.Background != nil && row.Spec.RequestBytes == 10 {
			got = append(got, beside(row.Spec))
		}
	}
	want := []string{"stream 100 × 10 B", "stream 100 × 100 B", "stream 100 × 1 kB", "stream 100 × 10 kB",
		"stream 1,000 × 10 B", "stream 1,000 × 100 B", "stream 1,000 × 1 kB", "stream 1,000 × 10 kB"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func findReference(t *testing.T, name string) *published.Reference {
	t.Helper()
	ref, err := published.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}
