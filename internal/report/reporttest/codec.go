package reporttest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Runtimes of the invented trials.
const (
	goRuntime = "go1.26.8 linux/amd64"
	JVM       = "java 17.0.9 OpenJDK 64-Bit Server VM linux/amd64"
)

// A codecModel makes up a codec: nanoseconds and bytes by the byte of protobuf.
type codecModel struct {
	stack, codec  string
	encode        float64
	decode, bytes float64
	runtime       string
}

// CodecModels are the codecs of CodecRun.
var CodecModels = []codecModel{
	{"codec-go", "protobuf", 1.1, 1.9, 1, goRuntime},
	{"codec-go", "json", 3.2, 9.5, 2.4, goRuntime},
	{"codec-go", "json-gzip", 22, 14, 1.4, goRuntime},
	{"codec-java", "protobuf-bytes", 0.9, 1.4, 1, JVM},
	{"codec-java", "protobuf-coded", 0.95, 1.5, 1, JVM},
	{"codec-java", "json", 2.8, 3.1, 2.4, JVM},
	{"codec-java-android", "json", 3.9, 2.6, 2.4, JVM},
}

var (
	codecOnce   sync.Once
	codecReport *analysis.Report
)

// CodecRun is an invented run of the scenario codec over a small and a large message. It is made once and must not be modified.
func CodecRun(t *testing.T) *analysis.Report {
	t.Helper()
	codecOnce.Do(func() { codecReport = inventCodecs(t) })
	return codecReport
}

func inventCodecs(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "codec.jsonl", Header: result.Header{
		Created: Created, Seed: 1,
		Binary: result.Binary{Version: "v0.1.0", Commit: "0123456789abcdef0123456789abcdef01234567+dirty", Go: "go1.26.8"},
		Hosts:  []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "codec", Question: "What does protobuf cost beside JSON?", Trials: 3,
			Cases: []string{"Encode", "Decode"}}},
	}}
	for _, kind := range []string{"encode", "decode"} {
		for message, bytes := range map[string]float64{"small": 18, "large-sparse": 17_400} {
			for _, model := range CodecModels {
				for repetition := 1; repetition <= 3; repetition++ {
					file.Trials = append(file.Trials, InventCodec(t, model, kind, message, bytes, repetition))
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

// InventCodec makes up a trial of a codec.
func InventCodec(t *testing.T, model codecModel, kind, message string, bytes float64, repetition int) result.Trial {
	t.Helper()
	nsPerOp := 40 + bytes*model.encode
	if kind == "decode" {
		nsPerOp = 60 + bytes*model.decode
	}
	nsPerOp *= 1 + 0.02*float64(repetition-2)
	repeat := int64(20e6 / nsPerOp)
	const calls = 1000 // as many as bell has
	number := func(n float64) *int64 { whole := int64(n); return &whole }
	return result.Trial{
		ID:         strings.Join([]string{model.stack, model.codec, kind, message, time.Duration(repetition).String()}, "/"),
		Repetition: repetition, Status: result.StatusOK,
		Started: Created.Add(time.Duration(repetition) * time.Minute),
		Cases:   []plan.Case{{Scenario: "codec", Title: map[string]string{"encode": "Encode", "decode": "Decode"}[kind]}},
		Spec: plan.Spec{Stack: model.stack, Protocol: "codec", Kind: kind, Message: message, Codec: model.codec,
			Connections: 1, InFlight: 1, Load: plan.LoadClosed, DeadlineNs: 10e9, DurationNs: 1e9, SampleNs: 20e6},
		Clients: []result.Client{{Side: result.Side{Runtime: model.runtime,
			Begin: &result.Snapshot{Allocations: number(0), AllocatedBytes: number(0), GCCycles: number(1), GCPauseNs: number(0)},
			End: &result.Snapshot{CPUUserNs: 1e9, Allocations: number(calls * float64(repeat) * (2 + bytes/100)),
				AllocatedBytes: number(calls * float64(repeat) * bytes * 3), GCCycles: number(140), GCPauseNs: number(61e6),
				HeapBytes: number(48.6e6)},
		}, Record: result.Record{ElapsedNs: 20e9, Arrivals: calls, Intervals: even(20e9, calls),
			Outcomes:   []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			Histograms: map[string]string{result.HistResponse: Bell(t, nsPerOp*float64(repeat))},
			Codec: &result.Codec{Repeat: repeat, EncodedBytes: int64(bytes * model.bytes),
				GzippedBytes: int64(20 + bytes*0.6*model.bytes)},
		}}},
	}
}
