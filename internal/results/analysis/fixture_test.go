package analysis

import (
	"fmt"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// histogram holds the given nanoseconds. Figures below 2,048 ns are exact, larger ones are read back within 0.1%.
func histogram(t *testing.T, ns ...int64) string {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, value := range ns {
		if err := h.RecordValue(value); err != nil {
			t.Fatal(err)
		}
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func spec(stack string) plan.Spec {
	protocol := map[string]string{"tcp": "tcp", "grpc-go": "grpc"}[stack]
	return plan.Spec{Stack: stack, Server: stack, Protocol: protocol, Kind: "unary", RequestBytes: 1000,
		ResponseBytes: 1000, Connections: 1, InFlight: 1, Load: plan.LoadClosed, Security: "plaintext", Network: "tcp",
		Compression: "none", Payload: "random", DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 1e9, DurationNs: 2e9}
}

// trial is a good one: calls OK calls within 2 s, answered in the given nanoseconds.
func trial(t *testing.T, spec plan.Spec, repetition int, calls int64, ns ...int64) result.Trial {
	t.Helper()
	return result.Trial{
		ID: fmt.Sprintf("%s-%d", spec.Stack, repetition), Repetition: repetition, Spec: spec, Floor: spec.Stack == "tcp",
		Cases:   []plan.Case{{Scenario: "quick", Title: "echo"}},
		Started: time.Unix(int64(1000+repetition), 0).UTC(), Status: result.StatusOK, Servers: []result.Side{{}},
		Clients: []result.Client{{Record: result.Record{ElapsedNs: 2e9,
			Arrivals: calls, Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			Histograms: map[string]string{result.HistResponse: histogram(t, ns...)}, Intervals: even(2e9, calls),
		}}},
	}
}

func file(name string, trials ...result.Trial) *result.File {
	return &result.File{Name: name, Trials: trials, Header: result.Header{
		Hosts: []result.Host{{Name: "bench", Processors: 2}}, Binary: result.Binary{Version: "v1"},
		Scenarios: []result.Scenario{{Name: "quick", Trials: 3}},
	}}
}

func build(t *testing.T, files ...*result.File) *Report {
	t.Helper()
	report, err := Build(files)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func onlyRow(t *testing.T, report *Report) *Row {
	t.Helper()
	if len(report.Rows) != 1 {
		t.Fatalf("%d rows, want 1", len(report.Rows))
	}
	return report.Rows[0]
}

// even is the intervals of a load at rest, 40 and a last one, which is cut short.
func even(elapsedNs, calls int64) []result.Interval {
	const parts = 40
	var list []result.Interval
	for i := range int64(parts) {
		list = append(list, result.Interval{StartNs: i * elapsedNs / parts, EndNs: (i + 1) * elapsedNs / parts,
			OK: (i+1)*calls/parts - i*calls/parts, ResponseMeanNs: 1000})
	}
	return append(list, result.Interval{StartNs: elapsedNs, EndNs: elapsedNs})
}
