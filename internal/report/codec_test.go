package report

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/result"
)

var (
	mobileOnce   sync.Once
	mobileReport *analysis.Report
)

func TestCodecsAreSealed(t *testing.T) {
	t.Parallel()
	r := reporttest.CodecRun(t)
	reporttest.Golden(t, "codec.txt", printed(t, FormatText, r, Options{}))
	reporttest.Golden(t, "codec.csv", printed(t, FormatCSV, r, Options{}))
	reporttest.Golden(t, "codec.bench", printed(t, formats.GoBench, r, Options{}))
}

func TestClaimsAreSealed(t *testing.T) {
	t.Parallel()
	mobile := reporttest.FindReference(t, "grpc-mobile")
	for file, r := range map[string]*analysis.Report{"codec-mobile.txt": reporttest.CodecRun(t), "mobile.txt": mobileRun(t)} {
		_, after, _ := strings.Cut(string(printed(t, FormatText, r, Options{Reference: mobile})), "grpc-mobile: ")
		reporttest.Golden(t, file, []byte("grpc-mobile: "+after))
	}
	reporttest.Golden(t, "mobile.json", claimsJSON(t, mobileRun(t), mobile))
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

// mobileRun is an invented run of gRPC and HTTP JSON clients at two payloads, and of one stream. It is made once and must not be
// modified.
func mobileRun(t *testing.T) *analysis.Report {
	t.Helper()
	mobileOnce.Do(func() { mobileReport = inventMobile(t) })
	return mobileReport
}

func inventMobile(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "mobile.jsonl", Header: result.Header{Created: reporttest.Created, Seed: 1,
		Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts:  []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}}}}
	for _, client := range []struct {
		model  reporttest.StackModel
		server string
	}{
		{reporttest.StackModel{Name: "grpc-java-okhttp", Protocol: "grpc", Library: "io.grpc 1.79.0",
			Factor: 2, WireBytes: 94}, "grpc-java-netty"},
		{reporttest.StackModel{Name: "http-json-okhttp", Protocol: "http-json", Library: "okhttp 5",
			Factor: 12, WireBytes: 480}, "http-json-java"},
		{reporttest.StackModel{Name: "http-json-urlconnection", Protocol: "http-json", Library: "",
			Factor: 9, WireBytes: 420}, "http-json-java"},
	} {
		for _, bytes := range []int{100, 100_000} {
			for _, kind := range []string{"unary", "ping_pong"} {
				if kind == "ping_pong" && client.model.Protocol != "grpc" {
					continue
				}
				for repetition := 1; repetition <= 3; repetition++ {
					p := reporttest.Scene{Title: "Echo by payload", Spec: reporttest.Points()[1].Spec, P50Ns: 30e3 + float64(bytes)/10,
						PerSec: 40_000, CPUNs: 9e3}
					p.Spec.RequestBytes, p.Spec.ResponseBytes, p.Spec.Kind = bytes, bytes, kind
					if kind == "ping_pong" {
						p.Title, p.Spec.Streams, p.PerSec = "Streams", 1, 90_000
					}
					trial := reporttest.Invent(t, p, client.model, repetition)
					trial.ID += kind
					trial.Spec.Server = client.server
					trial.Cases[0].Scenario = "mobile"
					trial.Clients[0].Runtime, trial.Servers[0].Runtime = reporttest.JVM, reporttest.JVM
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
	reporttest.Golden(t, "mobile-gc.txt", printed(t, FormatText, r, Options{}))
	if strings.Contains(string(printed(t, FormatText, reporttest.Quick(t), Options{})), "Garbage") {
		t.Error("a run without a JVM has one")
	}
}

func TestEveryReportIsNoWiderThanATerminal(t *testing.T) {
	t.Parallel()
	mobile := reporttest.FindReference(t, "grpc-mobile")
	for name, r := range map[string]*analysis.Report{"codec": reporttest.CodecRun(t), "mobile": mobileRun(t)} {
		for line := range strings.Lines(string(printed(t, FormatText, r, Options{Reference: mobile}))) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > document.WidthDefault {
				t.Errorf("%s: %d columns wide: %s", name, n, line)
			}
		}
	}
}

func TestACodecsReportSaysNothingOfNetworks(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatText, reporttest.CodecRun(t), Options{}))
	for _, unwanted := range []string{"Loopback", "shared the same", "closed", "in flight", "floor", "p50"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("it says %q", unwanted)
		}
	}
	if !strings.Contains(text, "rpcbench v0.1.0 0123456789ab+dirty, go1.26.8") {
		t.Error("the commit has not 12 digits")
	}
}
