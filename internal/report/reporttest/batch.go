package reporttest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// The costs of a message and of an operation.
const (
	MessageNs   = 24_000 // of the floor
	OperationNs = 95
)

// BatchModels are the stacks of BatchRun.
var BatchModels = []StackModel{
	{"tcp", "tcp", "", 1, 4},
	{"grpc-go", "grpc", "google.golang.org/grpc v1.85.0", 4.3, 14},
	{"connect-go", "connect", "connectrpc.com/connect v1.21.1", 5.9, 16},
}

var batchLinks = []*plan.Link{
	nil,
	{Name: "lan", RTTNs: 500_000, JitterNs: 50_000, UpBytesPerSec: 125e6, DownBytesPerSec: 125e6},
	{Name: "3g", RTTNs: 300e6, JitterNs: 50e6, UpBytesPerSec: 96e3, DownBytesPerSec: 200e3},
}

var (
	batchOnce   sync.Once
	batchReport *analysis.Report
)

// BatchRun returns a report of the scenarios batch, patterns, channels and distance. It is made once and must not be modified.
func BatchRun(t *testing.T) *analysis.Report {
	t.Helper()
	batchOnce.Do(func() { batchReport = inventBatches(t) })
	return batchReport
}

func inventBatches(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "batch.jsonl", Header: Quick(t).Sources[0].Header}
	file.Header.Notes = nil
	file.Header.Scenarios = []result.Scenario{
		{Name: "batch", Trials: 3, Question: "How much does batching operations into one message gain?"},
		{Name: "patterns", Trials: 3, Question: "How much does sending before the previous answer arrives gain?"},
		{Name: "channels", Trials: 3, Question: "Are many streams better shared on one connection?"},
		{Name: "distance", Trials: 3, Question: "What does distance cost a call?"},
	}
	base := plan.Spec{Kind: "ping_pong", RequestBytes: 8, ResponseBytes: 8, Connections: 1, InFlight: 1, Streams: 1,
		Load: plan.LoadClosed, Security: "plaintext", Network: "tcp", Compression: "none", Payload: "random", Batch: 1,
		DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 300e6, DurationNs: 1e9}
	for _, model := range BatchModels {
		for repetition := 1; repetition <= 3; repetition++ {
			add := func(scenario, title string, change func(*plan.Spec)) {
				s := base
				change(&s)
				file.Trials = append(file.Trials, InventBatch(t, s, model, repetition, scenario, title))
			}
			for _, n := range []int{1, 10, 100, 1000} {
				add("batch", "Batches on one stream", func(s *plan.Spec) { s.Batch = n })
			}
			for _, n := range []int{1, 100} {
				add("patterns", "Alternate", func(s *plan.Spec) { s.Batch = n })
				add("patterns", "Burst", func(s *plan.Spec) { s.Batch, s.Kind, s.Messages = n, "burst", 100 })
			}
			for _, n := range []int{1, 2, 4, 8, 16} {
				add("channels", "1 to 16 streams", func(s *plan.Spec) { s.InFlight, s.Streams = n, n })
			}
			for _, link := range batchLinks {
				for _, n := range []int{1, 100} {
					add("distance", "Batches at a distance", func(s *plan.Spec) { s.Batch, s.Link = n, link })
				}
			}
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// InventBatch makes up a trial of batches.
func InventBatch(t *testing.T, spec plan.Spec, model StackModel, repetition int, scenario, title string) result.Trial {
	t.Helper()
	spec.Stack, spec.Server, spec.Protocol = model.Name, model.Name, model.Protocol
	wobble := 1 + 0.02*float64(repetition-2)
	n := float64(spec.InFlight)
	one := (MessageNs + OperationNs*float64(spec.Batch)) * model.Factor * wobble
	if spec.Kind == "burst" {
		one *= 0.3 * float64(spec.Messages)
	}
	if spec.Link != nil {
		one += float64(spec.Link.RTTNs) + float64(spec.Batch)*12/spec.Link.UpBytesPerSec*1e9
	}
	perSec := 1e9 / one * n / (1 + 0.15*(n-1) + 0.006*n*(n-1))
	calls := max(int64(perSec), 3)
	elapsed := int64(float64(calls) / perSec * 1e9)
	perCall := int64(max(spec.Messages, 1))
	bytes := func(extra float64) int64 {
		return int64(float64(calls*perCall) * (float64(spec.Batch)*12 + model.WireBytes*extra))
	}
	trial := result.Trial{
		ID:         fmt.Sprint(scenario, title, model.Name, spec.Kind, spec.Batch, spec.InFlight, spec.Link, repetition),
		Repetition: repetition,
		Spec:       spec, Cases: []plan.Case{{Scenario: scenario, Title: title}}, Floor: model.Name == "tcp",
		Started: Created.Add(time.Duration(repetition) * time.Minute), Status: result.StatusOK, WireCountedAt: "client",
		Servers: []result.Side{side(model, 1e6, 0, 0)},
		Clients: []result.Client{{Side: side(model, 1e6, bytes(1), bytes(0.9)), Record: result.Record{ElapsedNs: elapsed,
			Intervals: even(elapsed, calls),
			Arrivals:  calls, Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			MessagesOut: calls * perCall, MessagesIn: calls * perCall,
			Histograms: map[string]string{result.HistResponse: Bell(t, n*1e9/perSec)},
		}}},
	}
	if spec.Link != nil {
		trial.Relay = &result.Relay{ElapsedNs: elapsed, CPUNs: elapsed / 10, WaitCPUNs: elapsed / 20, UpBytes: bytes(1),
			DownBytes: bytes(0.9), LateP99Ns: 80_000, LateMaxNs: 900_000}
		if spec.Link.Name == "3g" && spec.Batch > 1 && model.Name == "connect-go" {
			trial.Relay.UpBytes = int64(0.95 * spec.Link.UpBytesPerSec * float64(elapsed) / 1e9)
		}
	}
	return trial
}
