package report

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/result"
)

// The fixture of batches is invented: a message and per operation cost so much, on loopback and over a link, and more
// callers wait for each other.

var batchModels = []stackModel{
	{"tcp", "tcp", "", 1, 4},
	{"grpc-go", "grpc", "google.golang.org/grpc v1.85.0", 4.3, 14},
	{"connect-go", "connect", "connectrpc.com/connect v1.21.1", 5.9, 16},
}

const (
	messageNs   = 24_000 // of the floor
	operationNs = 95
)

var batchLinks = []*plan.Link{
	nil,
	{Name: "lan", RTTNs: 500_000, JitterNs: 50_000, UpBytesPerSec: 125e6, DownBytesPerSec: 125e6},
	{Name: "3g", RTTNs: 300e6, JitterNs: 50e6, UpBytesPerSec: 96e3, DownBytesPerSec: 200e3},
}

var (
	batchOnce   sync.Once
	batchReport *analysis.Report
)

// batchRun returns a report of the scenarios batch, patterns, channels and distance, made once. Nobody may change it.
func batchRun(t *testing.T) *analysis.Report {
	t.Helper()
	batchOnce.Do(func() { batchReport = inventBatches(t) })
	return batchReport
}

func inventBatches(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "batch.jsonl", Header: fixture(t).Sources[0].Header}
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
	for _, model := range batchModels {
		for repetition := 1; repetition <= 3; repetition++ {
			add := func(scenario, title string, change func(*plan.Spec)) {
				s := base
				change(&s)
				file.Trials = append(file.Trials, inventBatch(t, s, model, repetition, scenario, title))
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

func inventBatch(t *testing.T, spec plan.Spec, model stackModel, repetition int, scenario, title string) result.Trial {
	t.Helper()
	spec.Stack, spec.Server, spec.Protocol = model.name, model.name, model.protocol
	wobble := 1 + 0.02*float64(repetition-2)
	n := float64(spec.InFlight)
	one := (messageNs + operationNs*float64(spec.Batch)) * model.factor * wobble
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
		return int64(float64(calls*perCall) * (float64(spec.Batch)*12 + model.wireBytes*extra))
	}
	trial := result.Trial{
		ID:         fmt.Sprint(scenario, title, model.name, spec.Kind, spec.Batch, spec.InFlight, spec.Link, repetition),
		Repetition: repetition,
		Spec:       spec, Cases: []plan.Case{{Scenario: scenario, Title: title}}, Floor: model.name == "tcp",
		Started: created.Add(time.Duration(repetition) * time.Minute), Status: result.StatusOK, WireCountedAt: "client",
		Servers: []result.Side{side(model, 1e6, 0, 0)},
		Clients: []result.Client{{Side: side(model, 1e6, bytes(1), bytes(0.9)), Record: result.Record{ElapsedNs: elapsed,
			Intervals: even(elapsed, calls),
			Arrivals:  calls, Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			MessagesOut: calls * perCall, MessagesIn: calls * perCall,
			Histograms: map[string]string{result.HistResponse: bell(t, n*1e9/perSec)},
		}}},
	}
	if spec.Link != nil {
		trial.Relay = &result.Relay{ElapsedNs: elapsed, CPUNs: elapsed / 10, WaitCPUNs: elapsed / 20, UpBytes: bytes(1),
			DownBytes: bytes(0.9), LateP99Ns: 80_000, LateMaxNs: 900_000}
		if spec.Link.Name == "3g" && spec.Batch > 1 && model.name == "connect-go" {
			trial.Relay.UpBytes = int64(0.95 * spec.Link.UpBytesPerSec * float64(elapsed) / 1e9)
		}
	}
	return trial
}

func TestBatchesAreSealed(t *testing.T) {
	t.Parallel()
	r := batchRun(t)
	published, err := published.Find("roguedb")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(printed(t, FormatText, r, Options{})), "\n") {
		if utf8.RuneCountInString(line) > document.WidthDefault {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	golden(t, "batch.txt", printed(t, FormatText, r, Options{MaxLatency: 500 * time.Microsecond}))
	golden(t, "batch-roguedb.txt", printed(t, FormatText, r, Options{Reference: published}))
	golden(t, "batch.md", printed(t, FormatMarkdown, r, Options{}))
	golden(t, "batch.csv", printed(t, FormatCSV, r, Options{}))
}

func TestATableOfBatchesSaysWhatItMeans(t *testing.T) {
	t.Parallel()
	limited := printed(t, FormatText, batchRun(t), Options{MaxLatency: 500 * time.Microsecond})
	text := strings.Join(strings.Fields(string(limited)), " ")
	half := float64(messageNs) / operationNs
	for _, want := range []string{
		"grpc-go: each message takes 103 µs (102–105),", "each operation adds 4",
		fmt.Sprintf("is reached at batch %.0f (", half),
		"With a p99 of at most 500 µs, batch 100 is the best, with",
		"grpc-go: speedup of batch 100: 71.9× on loopback,",
		"LINK_BOUND in 3 of 3 trials: the link was full: 95% of its bandwidth to servers was used (bound 90%).",
		"the rate peaks at about 12 callers (95% interval 11–13) with 33,650 ops/s", "(universal scalability law with λ 9,652 ops/s,",
		"Links are emulated in user space: they delay bytes, not packets.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
