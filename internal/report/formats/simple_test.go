package formats

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

func TestSimpleIsPrintedAsOnVanadiumsPage(t *testing.T) {
	t.Parallel()
	got := string(printed(t, Simple, reporttest.SimpleRun(t, 1, map[string]float64{"grpc-go": 1}, nil)))
	want := "RPC Connection\t33.48 ms/rpc\n" +
		"RPC (echo 1000B)\t1.31 ms/rpc (763.24 qps)\n" +
		"RPC Streaming (echo 1000B)\t0.11 ms/rpc\n" +
		"RPC Streaming Throughput (echo 1MB)\t313.97 MB/s\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSimpleTellsStacksApartAndWhatTheyCanNotDo(t *testing.T) {
	t.Parallel()
	r := reporttest.SimpleRun(t, 3, map[string]float64{"tcp": 0.01, "grpc-go": 0.1, "connect-go": 0.2},
		map[string]string{"connect-go": "RPC Connection"})
	reporttest.Golden(t, "simple.txt", printed(t, Simple, r))
}

func TestSimpleSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	r := reporttest.SimpleRun(t, 2, map[string]float64{"grpc-go": 1}, nil)
	for _, table := range r.Tables {
		switch row := table.Rows[0]; table.Title {
		case "RPC Connection":
			row.Failed, row.Trials = row.Trials, nil
			row.Failed[0].Failure, row.Failed[1].Failure = "no route", "no route"
		case "RPC":
			row.Outcomes = []result.Outcome{{Code: "UNAVAILABLE", Calls: 3}}
		case "RPC Streaming":
			table.Rows = nil
		}
	}
	got := string(printed(t, Simple, r))
	for _, want := range []string{
		"RPC Connection\t2 of 2 trials failed: no route\n",
		" qps), median of 2 trials, min–max 1.31–1.44, 3 of 20 calls not OK: UNAVAILABLE 3\n",
		"RPC Streaming\tnot measured\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing says %q:\n%s", want, got)
		}
	}
}

func TestSimpleNeedsItsScenario(t *testing.T) {
	t.Parallel()
	err := Write(io.Discard, Simple, reporttest.Quick(t))
	want := "--format simple prints the scenario simple, and quick.jsonl has none of its cases"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
