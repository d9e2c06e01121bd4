// Package coursetest makes the trials of a search for a capacity up, for tests.
package coursetest

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
)

// Trial is one of 1,000 calls in a second, 4 ms each, of which some failed. Client and server used so much of a second of two
// processors.
func Trial(t *testing.T, failed int64, clientCPU, serverCPU time.Duration) result.Trial {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	if err := h.RecordValues(4e6, 1000-failed); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	side := func(cpu time.Duration) result.Side {
		return result.Side{Begin: &result.Snapshot{}, End: &result.Snapshot{TimeNs: 1e9, CPUUserNs: int64(cpu)}}
	}
	return result.Trial{
		ID: "1", Repetition: 1, Status: result.StatusOK, Servers: []result.Side{side(serverCPU)},
		Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", Connections: 1, InFlight: 9, Load: plan.LoadPoisson,
			OfferedPerSec: 1000, DurationNs: 1e9},
		Cases: []plan.Case{{Scenario: "search", Title: "search"}},
		Clients: []result.Client{{Side: side(clientCPU), Record: result.Record{ElapsedNs: 1e9, Arrivals: 1000,
			Outcomes:   []result.Outcome{{Code: "OK", Calls: 1000 - failed}, {Code: "INTERNAL", Calls: failed}},
			Histograms: map[string]string{"response": encoded},
			Intervals:  []result.Interval{{EndNs: 1e9, OK: 1000 - failed, Errors: failed}},
		}}},
	}
}

// Row is the row of a trial by itself, measured on two processors.
func Row(t *testing.T, trial result.Trial) *analysis.Row {
	t.Helper()
	row, err := analysis.BuildOne("a", result.Header{Hosts: []result.Host{{Processors: 2}}}, trial)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// Requirements reads requirements.
func Requirements(t *testing.T, texts ...string) []require.Requirement {
	t.Helper()
	read, err := require.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return read
}
