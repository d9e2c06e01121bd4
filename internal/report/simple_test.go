package report

import (
	"io"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// pageCases are the figures of Vanadium's README: how long a call takes, and what it carries.
var pageCases = []struct {
	title, kind     string
	bytes, messages int
	ms              float64
}{
	{"RPC Connection", "connect", 0, 0, 33.48},
	{"RPC", "unary", 1000, 0, 1.31},
	{"RPC Streaming", "stream", 1000, 10_000, 1100},
	{"RPC Streaming Throughput", "stream", 1_000_000, 100, 637},
}

// simpleRun is a run of simple in which every call takes by times as long as on the page; nothing comes of the titles
// that a stack can't do.
func simpleRun(t *testing.T, trials int, by map[string]float64, cant map[string]string) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "simple.jsonl", Header: result.Header{
		Created: created, Seed: 1, Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "simple", Cases: []string{
			"RPC Connection", "RPC", "RPC Streaming", "RPC Streaming Throughput"}}},
	}}
	for _, model := range models {
		slower, ok := by[model.name]
		if !ok {
			continue
		}
		for _, c := range pageCases {
			if cant[model.name] == c.title {
				file.Header.Notes = append(file.Header.Notes, plan.Note{Code: plan.NoteLeftOut,
					Text: model.name + " is left out of 1 point: it has no kind " + c.kind + "."})
				continue
			}
			for repetition := 1; repetition <= trials; repetition++ {
				p := points()[1]
				p.spec.Kind, p.spec.RequestBytes, p.spec.ResponseBytes = c.kind, c.bytes, c.bytes
				p.spec.Messages, p.spec.Security = c.messages, "mtls"
				trial := invent(t, p, model, repetition)
				trial.ID += c.title
				trial.Cases = []plan.Case{{Scenario: "simple", Title: c.title}}
				took(t, &trial, c.ms*slower*(1+0.1*float64(repetition-1)))
				file.Trials = append(file.Trials, trial)
				file.Header.Plan = append(file.Header.Plan, plan.Trial{Spec: trial.Spec, Cases: trial.Cases})
			}
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// took makes a trial one of ten calls that took so long each, one after the other and with nothing between them.
func took(t *testing.T, trial *result.Trial, ms float64) {
	t.Helper()
	h := hdrhistogram.New(1, 3600e9, 3)
	if err := h.RecordValues(int64(ms*1e6), 10); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	messages := int64(10 * max(trial.Spec.Messages, 1))
	trial.Clients[0].Arrivals, trial.Clients[0].Outcomes = 10, []result.Outcome{{Code: result.CodeOK, Calls: 10}}
	trial.Clients[0].ElapsedNs, trial.Clients[0].MessagesOut, trial.Clients[0].MessagesIn = int64(ms*1e7), messages, messages
	trial.Clients[0].PayloadOut = messages * int64(trial.Spec.RequestBytes)
	trial.Clients[0].PayloadIn = messages * int64(trial.Spec.ResponseBytes)
	trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded}
}

func TestSimpleIsPrintedAsOnVanadiumsPage(t *testing.T) {
	t.Parallel()
	got := string(printed(t, FormatSimple, simpleRun(t, 1, map[string]float64{"grpc-go": 1}, nil), Options{}))
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
	r := simpleRun(t, 3, map[string]float64{"tcp": 0.01, "grpc-go": 0.1, "connect-go": 0.2},
		map[string]string{"connect-go": "RPC Connection"})
	golden(t, "simple.txt", printed(t, FormatSimple, r, Options{}))
}

func TestSimpleSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	r := simpleRun(t, 2, map[string]float64{"grpc-go": 1}, nil)
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
	got := string(printed(t, FormatSimple, r, Options{}))
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
	err := Write(io.Discard, FormatSimple, fixture(t), Options{})
	want := "--format simple prints the scenario simple, and quick.jsonl has none of its cases"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
