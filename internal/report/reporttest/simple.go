package reporttest

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// pageCases are the figures of Vanadium's README: the duration of a call, and its payload.
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

// SimpleRun is a run of simple in which every call takes by times as long as on the page; nothing comes of the titles
// that a stack can't do.
func SimpleRun(t *testing.T, trials int, by map[string]float64, cant map[string]string) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "simple.jsonl", Header: result.Header{
		Created: Created, Seed: 1, Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "simple", Cases: []string{
			"RPC Connection", "RPC", "RPC Streaming", "RPC Streaming Throughput"}}},
	}}
	for _, model := range Models {
		slower, ok := by[model.Name]
		if !ok {
			continue
		}
		for _, c := range pageCases {
			if cant[model.Name] == c.title {
				file.Header.Notes = append(file.Header.Notes, plan.Note{Code: plan.NoteLeftOut,
					Text: model.Name + " is left out of 1 point: it has no kind " + c.kind + "."})
				continue
			}
			for repetition := 1; repetition <= trials; repetition++ {
				p := Points()[1]
				p.Spec.Kind, p.Spec.RequestBytes, p.Spec.ResponseBytes = c.kind, c.bytes, c.bytes
				p.Spec.Messages, p.Spec.Security = c.messages, "mtls"
				trial := Invent(t, p, model, repetition)
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

// took makes a trial of ten consecutive calls of the given duration, without gaps.
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
