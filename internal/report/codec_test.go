package report

import (
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

// A codecModel makes up a codec: nanoseconds and bytes by the byte of protobuf.
type codecModel struct {
	stack, codec  string
	encode        float64
	decode, bytes float64
	runtime       string
}

const (
	goRuntime = "go1.26.8 linux/amd64"
	jvm       = "java 17.0.9 OpenJDK 64-Bit Server VM linux/amd64"
)

var codecModels = []codecModel{
	{"codec-go", "protobuf", 1.1, 1.9, 1, goRuntime},
	{"codec-go", "json", 3.2, 9.5, 2.4, goRuntime},
	{"codec-go", "json-gzip", 22, 14, 1.4, goRuntime},
	{"codec-java", "protobuf-bytes", 0.9, 1.4, 1, jvm},
	{"codec-java", "protobuf-coded", 0.95, 1.5, 1, jvm},
	{"codec-java", "json", 2.8, 3.1, 2.4, jvm},
	{"codec-java-android", "json", 3.9, 2.6, 2.4, jvm},
}

var (
	codecOnce, mobileOnce     sync.Once
	codecReport, mobileReport *analysis.Report
)

// codecRun is an invented run of the scenario codec over a small message and a large one, made once. Nobody may change
// it.
func codecRun(t *testing.T) *analysis.Report {
	t.Helper()
	codecOnce.Do(func() { codecReport = inventCodecs(t) })
	return codecReport
}

func inventCodecs(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "codec.jsonl", Header: result.Header{
		Created: created, Seed: 1,
		Binary: result.Binary{Version: "v0.1.0", Commit: "0123456789abcdef0123456789abcdef01234567+dirty", Go: "go1.26.8"},
		Hosts:  []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "codec", Question: "What does protobuf cost beside JSON?", Trials: 3,
			Cases: []string{"Encode", "Decode"}}},
	}}
	for _, kind := range []string{"encode", "decode"} {
		for message, bytes := range map[string]float64{"small": 18, "large-sparse": 17_400} {
			for _, model := range codecModels {
				for repetition := 1; repetition <= 3; repetition++ {
					file.Trials = append(file.Trials, inventCodec(t, model, kind, message, bytes, repetition))
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

func inventCodec(t *testing.T, model codecModel, kind, message string, bytes float64, repetition int) result.Trial {
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
		Started: created.Add(time.Duration(repetition) * time.Minute),
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
			Histograms: map[string]string{result.HistResponse: bell(t, nsPerOp*float64(repeat))},
			Codec: &result.Codec{Repeat: repeat, EncodedBytes: int64(bytes * model.bytes),
				GzippedBytes: int64(20 + bytes*0.6*model.bytes)},
		}}},
	}
}

func TestCodecsAreSealed(t *testing.T) {
	t.Parallel()
	r := codecRun(t)
	golden(t, "codec.txt", printed(t, FormatText, r, Options{}))
	golden(t, "codec.csv", printed(t, FormatCSV, r, Options{}))
	golden(t, "codec.bench", printed(t, FormatGoBench, r, Options{}))
}

func TestClaimsAreSealed(t *testing.T) {
	t.Parallel()
	mobile := findReference(t, "grpc-mobile")
	for file, r := range map[string]*analysis.Report{"codec-mobile.txt": codecRun(t), "mobile.txt": mobileRun(t)} {
		_, after, _ := strings.Cut(string(printed(t, FormatText, r, Options{Reference: mobile})), "grpc-mobile: ")
		golden(t, file, []byte("grpc-mobile: "+after))
	}
	golden(t, "mobile.json", claimsJSON(t, mobileRun(t), mobile))
}

// claimsJSON is the part of the report that begins with the claims.
func claimsJSON(t *testing.T, r *analysis.Report, ref *published.Reference) []byte {
	t.Helper()
	_, after, found := strings.Cut(string(printed(t, FormatJSON, r, Options{Reference: ref})), `"claims"`)
	claims, _, end := strings.Cut(after, `"tables"`)
	if !found || !end {
		t.Fatal("no claims in JSON")
	}
	return []byte(`"claims"` + claims)
}

// mobileRun is an invented run of gRPC and HTTP JSON clients at two payloads, and of one stream, made once. Nobody may
// change it.
func mobileRun(t *testing.T) *analysis.Report {
	t.Helper()
	mobileOnce.Do(func() { mobileReport = inventMobile(t) })
	return mobileReport
}

func inventMobile(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "mobile.jsonl", Header: result.Header{Created: created, Seed: 1,
		Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts:  []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}}}}
	for _, client := range []struct {
		model  stackModel
		server string
	}{
		{stackModel{"grpc-java-okhttp", "grpc", "io.grpc 1.79.0", 2, 94}, "grpc-java-netty"},
		{stackModel{"http-json-okhttp", "http-json", "okhttp 5", 12, 480}, "http-json-java"},
		{stackModel{"http-json-urlconnection", "http-json", "", 9, 420}, "http-json-java"},
	} {
		for _, bytes := range []int{100, 100_000} {
			for _, kind := range []string{"unary", "ping_pong"} {
				if kind == "ping_pong" && client.model.protocol != "grpc" {
					continue
				}
				for repetition := 1; repetition <= 3; repetition++ {
					p := scene{title: "Echo by payload", spec: points()[1].spec, p50Ns: 30e3 + float64(bytes)/10,
						perSec: 40_000, cpuNs: 9e3}
					p.spec.RequestBytes, p.spec.ResponseBytes, p.spec.Kind = bytes, bytes, kind
					if kind == "ping_pong" {
						p.title, p.spec.Streams, p.perSec = "Streams", 1, 90_000
					}
					trial := invent(t, p, client.model, repetition)
					trial.ID += kind
					trial.Spec.Server = client.server
					trial.Cases[0].Scenario = "mobile"
					trial.Clients[0].Runtime, trial.Servers[0].Runtime = jvm, jvm
					pause, heap := int64(2_500_000), int64(33_000_000)
					trial.Clients[0].Begin.GCPauseNs = new(int64)
					trial.Clients[0].End.GCPauseNs, trial.Clients[0].End.HeapBytes = &pause, &heap
					trial.Clients[0].Begin.GCCycles, trial.Clients[0].End.GCCycles = new(int64), new(int64(4))
					file.Trials = append(file.Trials, trial)
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

func TestAJVMHasATableOfItsCollections(t *testing.T) {
	t.Parallel()
	r := mobileRun(t)
	golden(t, "mobile-gc.txt", printed(t, FormatText, r, Options{}))
	if strings.Contains(string(printed(t, FormatText, fixture(t), Options{})), "Garbage") {
		t.Error("a run without a JVM has one")
	}
}

func TestEveryReportIsNoWiderThanATerminal(t *testing.T) {
	t.Parallel()
	mobile := findReference(t, "grpc-mobile")
	for name, r := range map[string]*analysis.Report{"codec": codecRun(t), "mobile": mobileRun(t)} {
		for line := range strings.Lines(string(printed(t, FormatText, r, Options{Reference: mobile}))) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > document.WidthDefault {
				t.Errorf("%s: %d columns wide: %s", name, n, line)
			}
		}
	}
}

func TestACodecsReportSaysNothingOfNetworks(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatText, codecRun(t), Options{}))
	for _, unwanted := range []string{"Loopback", "shared the same", "closed", "in flight", "floor", "p50"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("it says %q", unwanted)
		}
	}
	if !strings.Contains(text, "rpcbench v0.1.0 0123456789ab+dirty, go1.26.8") {
		t.Error("the commit has not 12 digits")
	}
}
