// Package reporttest provides invented runs and golden files for tests of printed output. It depends neither on the clock nor on
// chance.
package reporttest

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// The fixture is an invented run of quick over the floor and three stacks: every kind of table, and all that can go
// wrong with a row. Nothing in it depends on the clock or on chance.

// Created is the time of every invented run.
var Created = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// A StackModel generates figures: the stack's slowdown relative to the floor, and the bytes that it adds on the wire.
type StackModel struct {
	Name, Protocol, Library string
	Factor, WireBytes       float64
}

// Models are the floor and the stacks of Quick.
var Models = []StackModel{
	{"tcp", "tcp", "", 1, 13},
	{"grpc-go", "grpc", "google.golang.org/grpc v1.85.0", 4.3, 94},
	{"connect-go", "connect", "connectrpc.com/connect v1.21.1", 5.9, 131},
	{"http-json-go", "http-json", "", 8.2, 2180},
}

// A Scene is a point at which the stacks are measured.
type Scene struct {
	Title  string
	Spec   plan.Spec
	P50Ns  float64 // the floor's, and so on
	PerSec float64
	CPUNs  float64
}

// Points are the points of Quick.
func Points() []Scene {
	base := plan.Spec{Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000, Connections: 1, InFlight: 1,
		Load: plan.LoadClosed, Security: "plaintext", Network: "tcp", Compression: "none", Payload: "random",
		DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 200e6, DurationNs: 500e6}
	first := base
	first.Kind, first.RequestBytes, first.ResponseBytes, first.DurationNs, first.Calls = "first_call", 0, 0, 0, 100
	many := base
	many.Connections, many.InFlight = 2, 32
	messages := base
	messages.Kind, messages.Messages = "stream", 1000
	small, big := messages, messages
	small.RequestBytes, small.ResponseBytes = 64, 64
	big.RequestBytes, big.ResponseBytes, big.Messages = 1_000_000, 1_000_000, 20
	open := base
	open.Load, open.OfferedPerSec, open.InFlight = plan.LoadPoisson, 2000, 64
	return []Scene{
		{Title: "First call on a new connection", Spec: first, P50Ns: 151e3, PerSec: 6400, CPUNs: 61e3},
		{Title: "1 kB echo, one caller", Spec: base, P50Ns: 22.1e3, PerSec: 44_000, CPUNs: 9.2e3},
		{Title: "1 kB echo, 64 callers", Spec: many, P50Ns: 301e3, PerSec: 210_000, CPUNs: 6.1e3},
		{Title: "Streams", Spec: small, P50Ns: 1.31e6, PerSec: 750, CPUNs: 900e3},
		{Title: "Streams", Spec: big, P50Ns: 9.2e6, PerSec: 106, CPUNs: 4e6},
		{Title: "1 kB echo at a given rate", Spec: open, P50Ns: 35e3, PerSec: 2000, CPUNs: 12e3},
	}
}

var (
	fixtureOnce   sync.Once
	fixtureReport *analysis.Report
)

// Quick returns the report of the invented run. It is made once and must not be modified.
func Quick(t *testing.T) *analysis.Report {
	t.Helper()
	fixtureOnce.Do(func() { fixtureReport = inventRun(t) })
	return fixtureReport
}

func inventRun(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "quick.jsonl", Header: result.Header{
		Format: result.Format, Version: result.Version, Created: Created, Seed: 1,
		Binary: result.Binary{Version: "v0.1.0", Commit: "0123abcd", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", Kernel: "6.12.9", CPU: "Example CPU @ 3.00GHz",
			Processors: 2, MemoryBytes: 8 << 30}},
		Scenarios: []result.Scenario{{Name: "quick", Trials: 3,
			Question: "How do the stacks of this binary compare on this machine, in a minute?",
			Note: "Three short trials are a preview: too few to separate differences from noise. " +
				"For a comparison run the scenario latency or throughput."}},
		Notes: []plan.Note{{Code: plan.NoteLeftOut, Text: "http-json-go is left out of 2 points: it has no streams."}},
	}}
	for _, p := range Points() {
		for _, model := range Models {
			for repetition := 1; repetition <= 3; repetition++ {
				if p.Spec.Kind == "stream" && model.Protocol == "http-json" {
					continue
				}
				file.Trials = append(file.Trials, Invent(t, p, model, repetition))
			}
		}
	}
	spoil(t, file)
	return Built(t, file)
}

// Invent makes up a good trial. Repetitions differ by 3%.
func Invent(t *testing.T, p Scene, model StackModel, repetition int) result.Trial {
	t.Helper()
	wobble := 1 + 0.03*float64(repetition-2)
	factor := model.Factor * wobble
	if p.Spec.Kind == "stream" {
		factor = math.Sqrt(model.Factor) * wobble
	}
	spec := p.Spec
	spec.Stack, spec.Server, spec.Protocol = model.Name, model.Name, model.Protocol
	calls := int64(p.PerSec / factor / 2)
	if spec.Load != plan.LoadClosed {
		calls = int64(p.PerSec / 2)
	}
	perCall := int64(max(spec.Messages, 1))
	if spec.Kind == "first_call" {
		calls, perCall = 100, 0
	}
	started := Created.Add(time.Duration(repetition)*time.Minute + time.Duration(len(model.Name))*time.Second)
	trial := result.Trial{
		ID:         fmt.Sprintf("%s/%s/%d/%d/%d", p.Title, model.Name, spec.RequestBytes, spec.InFlight, repetition),
		Repetition: repetition, Spec: spec, Cases: []plan.Case{{Scenario: "quick", Title: p.Title}},
		Floor: model.Name == "tcp", Started: started, Status: result.StatusOK, WireCountedAt: "client",
		Clients: []result.Client{{Record: result.Record{ElapsedNs: 500e6, Arrivals: calls,
			Outcomes:    []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			MessagesOut: calls * perCall, MessagesIn: calls * perCall,
			PayloadOut: calls * perCall * int64(spec.RequestBytes), PayloadIn: calls * perCall * int64(spec.ResponseBytes),
			Histograms: map[string]string{result.HistResponse: Bell(t, p.P50Ns*factor)}, Intervals: even(500e6, calls),
		}}},
	}
	wire := func(payload int, extra float64) int64 {
		return int64(float64(calls*max(perCall, 1)) * (float64(payload) + model.WireBytes*extra))
	}
	trial.Clients[0].Side = side(model, p.CPUNs*factor*float64(calls), wire(spec.RequestBytes, 1), wire(spec.ResponseBytes, 0.75))
	trial.Servers = []result.Side{side(model, p.CPUNs*factor*0.9*float64(calls), 0, 0)}
	if spec.Load != plan.LoadClosed {
		trial.Clients[0].Histograms[result.HistService] = Bell(t, p.P50Ns*factor*0.8)
		trial.Clients[0].Histograms[result.HistWake] = Bell(t, 18e3)
		trial.Clients[0].Histograms[result.HistQueue] = Bell(t, 1)
		pacer := calls * 1700
		trial.Clients[0].Begin.PacerCPUNs, trial.Clients[0].End.PacerCPUNs = new(int64), &pacer
	}
	return trial
}

func side(model StackModel, cpuNs float64, out, in int64) result.Side {
	zero, allocations := int64(0), int64(cpuNs/1000)
	return result.Side{
		Runtime: "go1.26.8 linux/amd64", Library: model.Library,
		Begin: &result.Snapshot{Sockets: 1, BytesOut: &zero, BytesIn: &zero, Allocations: &zero},
		End: &result.Snapshot{TimeNs: 500e6, CPUUserNs: int64(cpuNs * 0.6), CPUSystemNs: int64(cpuNs * 0.4), Sockets: 1,
			PeakMemoryBytes: 20 << 20, BytesOut: &out, BytesIn: &in, Allocations: &allocations},
	}
}

// Bell is a histogram of 1,000 latencies around a median, with a tail of twice and ten times that.
func Bell(t *testing.T, medianNs float64) string {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, part := range []struct {
		by float64
		n  int64
	}{{0.92, 200}, {0.97, 250}, {1, 200}, {1.08, 200}, {1.3, 130}, {1.9, 15}, {3, 4}, {10, 1}} {
		if err := h.RecordValues(max(int64(medianNs*part.by), 1), part.n); err != nil {
			t.Fatal(err)
		}
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// spoil makes trials go wrong: calls that fail, calls that were never sent, one trial of three, and all of three.
func spoil(t *testing.T, file *result.File) {
	t.Helper()
	for i := range file.Trials {
		trial := &file.Trials[i]
		add := func(code string, calls int64, example string) {
			trial.Clients[0].Outcomes = append(trial.Clients[0].Outcomes, result.Outcome{Code: code, Calls: calls, Example: example})
			trial.Clients[0].Arrivals += calls
		}
		fail := func(failure, lastWords string) {
			Fail(trial)
			trial.Failure, trial.LastWords = failure, lastWords
		}
		title, stack := trial.Cases[0].Title, trial.Spec.Stack
		switch {
		case title == "1 kB echo, 64 callers" && stack == "connect-go":
			add("UNAVAILABLE", 4, "dial tcp 127.0.0.1:4000: connect: connection refused")
			add("DEADLINE_EXCEEDED", 1, "context deadline exceeded")
			trial.Clients[0].Histograms[result.HistError] = Bell(t, 2e6)
		case title == "1 kB echo at a given rate" && stack == "http-json-go":
			add(result.CodeUnsent, 31, "")
			add(result.CodeUnfinished, 2, "")
			trial.Warnings = []result.Warning{{Code: result.WarningNoProfile, Text: "the pacer was late"}}
		case title == "1 kB echo, one caller" && stack == "grpc-go" && trial.Repetition == 2:
			fail("the server died: exit status 2", "goroutine 1 [running]:\npanic: boom\n")
		case title == "Streams" && stack == "connect-go" && trial.Spec.RequestBytes == 1_000_000:
			fail("every call failed", "")
			add("RESOURCE_EXHAUSTED", 53, "message larger than max")
			trial.Clients[0].Histograms = map[string]string{result.HistError: Bell(t, 1e6)}
		}
	}
}

// Fail makes a trial one whose server died before anything was measured.
func Fail(trial *result.Trial) {
	trial.Status, trial.Failure = result.StatusFailed, "the server died: exit status 2"
	trial.Clients[0].Outcomes, trial.Clients[0].Histograms, trial.Clients[0].Arrivals = nil, nil, 0
	trial.Clients[0].End, trial.Servers[0].End = nil, nil
}

// OpenLoads is one trial of an open load for each change.
func OpenLoads(t *testing.T, changes ...func(*result.Trial)) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "open.jsonl"}
	for i, change := range changes {
		trial := Invent(t, Points()[5], Models[1], 1)
		trial.ID = fmt.Sprint(i)
		change(&trial)
		file.Trials = append(file.Trials, trial)
	}
	return Built(t, file)
}

// Built is the report of files.
func Built(t *testing.T, files ...*result.File) *analysis.Report {
	t.Helper()
	r, err := analysis.Build(files)
	if err != nil {
		t.Fatal(err)
	}
	return r
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
