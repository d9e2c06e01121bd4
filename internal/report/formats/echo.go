package formats

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// scenarioEcho is the scenario whose cases have names in Vanadium's benchmark_test.go.
const scenarioEcho = "echo"

// vanadiumName returns the name of a case of the scenario echo in Vanadium's benchmark_test.go, such as "Benchmark____1B", and
// the columns that the name implies. It returns "" for other cases.
func vanadiumName(spec plan.Spec) (name string, told []string) {
	if !spec.Closed() || spec.RequestBytes != spec.ResponseBytes {
		return "", nil
	}
	told = []string{"kind", "request_bytes", "response_bytes", "messages", "background"}
	inFlight := 1
	size := vanadiumSize(spec.RequestBytes)
	beside := spec.Background
	switch {
	case beside != nil:
		name = muxName(spec, size)
	case spec.Kind == stack.KindPingPong && spec.Streams == 1:
		name = fmt.Sprintf("Benchmark__per_chunk_%5s", size)
		inFlight = perChunkInFlight
		told = append(told, "streams")
	case spec.Kind == stack.KindStream:
		name = fmt.Sprintf("Benchmark_%4s_chunk_%6s", vanadiumCount(spec.Messages), size)
	case spec.Kind == stack.KindUnary:
		name = fmt.Sprintf("Benchmark_%5s", size)
	}
	if name == "" {
		return "", nil
	}
	if spec.Connections == 1 && spec.InFlight == inFlight {
		told = append(told, "connections", "in_flight")
	}
	return strings.ReplaceAll(name, " ", "_"), told
}

// muxName names a unary echo that runs along with a stream of echoes.
func muxName(spec plan.Spec, size string) string {
	b := spec.Background
	if spec.Kind != stack.KindUnary || b.Kind != stack.KindStream || b.RequestBytes != b.ResponseBytes {
		return ""
	}
	return fmt.Sprintf("Benchmark_%5s_mux_%4s_chunks_%5s", size, vanadiumCount(b.Messages), vanadiumSize(b.RequestBytes))
}

// perChunkInFlight is the number of chunks in flight in the scenario's cases with one open stream.
const perChunkInFlight = 64

func vanadiumSize(bytes int) string {
	if bytes > 0 && bytes%1000 == 0 {
		return fmt.Sprintf("%dKB", bytes/1000)
	}
	return fmt.Sprintf("%dB", bytes)
}

func vanadiumCount(n int) string {
	if n > 0 && n%1000 == 0 {
		return fmt.Sprintf("%dK", n/1000)
	}
	return fmt.Sprint(n)
}

// echoName is goName for the cases of the scenario echo, and "" for others. Differences from Vanadium's cases follow the stack:
// Benchmark____1B/stack=grpc-go/security=tls.
func echoName(row *analysis.Row) string {
	file, apart := strings.CutPrefix(row.Key.Scenario, scenarioEcho+" [") // as Source.Scenario has it
	if row.Key.Scenario != scenarioEcho && !apart {
		return ""
	}
	name, told := vanadiumName(row.Spec)
	if name == "" {
		return ""
	}
	if apart {
		name += "/file=" + naming.Safe(strings.TrimSuffix(file, "]"))
	}
	for _, part := range naming.Parts(row.Spec) {
		if column, _, _ := strings.Cut(part, "="); !slices.Contains(told, column) {
			name += "/" + part
		}
	}
	return name
}
