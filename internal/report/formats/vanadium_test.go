package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// page is the run of Vanadium's README as a trial of ours.
func page(t *testing.T, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	encoded, err := result.EncodeHistogram(seedPage(t))
	if err != nil {
		t.Fatal(err)
	}
	return reporttest.Echo(t, 1, func(trial *result.Trial) {
		trial.Spec.RequestBytes, trial.Spec.ResponseBytes, trial.Clients[0].ElapsedNs = 10, 10, 1369034277
		trial.Clients[0].Arrivals, trial.Clients[0].Outcomes = 100, []result.Outcome{{Code: result.CodeOK, Calls: 100}}
		trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded}
		change(trial)
	})
}

const pagePrinted = "iterations: 100  chunk_count: 0  payload_size: 10\nelapsed time: 1.369034277s\n" + seedPrinted

func TestATrialIsPrintedAsOnVanadiumsPage(t *testing.T) {
	t.Parallel()
	got := string(printed(t, Vanadium, page(t, func(*result.Trial) {})))
	want := pagePrinted + "Percentiles (unit: ms; closed loop)\np50: 12.00  p90: 16.01  p99: 19.01  p99.9: 94.00  max: 94.00\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestVanadiumSaysWhatItCouldNotHaveCalled(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*result.Trial){
		"iterations: 100  chunk_count: 1000  payload_size: 10\n": func(of *result.Trial) {
			of.Spec.Kind, of.Spec.Messages = "stream", 1000
		},
		"iterations: 100  chunk_count: 5  payload_size: 10  kind: upload  response_size: 0\n": func(of *result.Trial) {
			of.Spec.Kind, of.Spec.Messages, of.Spec.ResponseBytes = "upload", 5, 0
		},
		"payload_size: 10  connections: 2  in_flight: 8\n": func(of *result.Trial) {
			of.Spec.Connections, of.Spec.InFlight = 2, 8
		},
		"Percentiles (unit: ms; Poisson arrivals at 50 calls/s, measured from when a call was due)\n": func(of *result.Trial) {
			of.Spec.Load, of.Spec.OfferedPerSec = plan.LoadPoisson, 50
		},
		"background calls, stream 100 × 1 kB: 17 calls OK, 2 failed\n": func(of *result.Trial) {
			of.Spec.Background = &plan.Background{Kind: "stream", RequestBytes: 1000, ResponseBytes: 1000, Messages: 100}
			of.Clients[0].Background = &result.Background{OK: 17, Errors: 2}
		},
		"UNAVAILABLE: 1 call, for example: connection reset\nUNSENT: 3 calls\n": func(of *result.Trial) {
			of.Clients[0].Outcomes = append(of.Clients[0].Outcomes,
				result.Outcome{Code: "UNAVAILABLE", Calls: 1, Example: "connection\nreset"},
				result.Outcome{Code: result.CodeUnsent, Calls: 3})
		},
		"max: 94.00\nThese are of the OK calls, with 1 lower bound of calls that were not answered\n": func(of *result.Trial) {
			of.Clients[0].Histograms[result.HistBound] = oneBound(t)
		},
		"Histogram (empty)\nFAILED: the server died\nwarning: hot\n": func(of *result.Trial) {
			of.Status, of.Failure, of.Clients[0].Histograms = result.StatusFailed, "the server died", nil
			of.Warnings = []result.Warning{{Text: "hot"}}
		},
	} {
		if got := string(printed(t, Vanadium, page(t, change))); !strings.Contains(got, want) {
			t.Errorf("nothing says %q:\n%s", want, got)
		}
	}
}

// oneBound is a histogram of one call that was not answered within 94 ms.
func oneBound(t *testing.T) string {
	t.Helper()
	bounds := record.NewHistogram()
	if err := bounds.RecordValue(94e6); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(bounds)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestSeveralTrialsAreToldApart(t *testing.T) {
	t.Parallel()
	got := string(printed(t, Vanadium, reporttest.Echo(t, 3, func(*result.Trial) {})))
	name := "BenchmarkQuick/stack=grpc-go/kind=unary/request_bytes=1000/response_bytes=1000/connections=1/in_flight=1"
	parts := strings.Split(got, "\n\n")
	if len(parts) != 3 {
		t.Fatalf("%d parts:\n%s", len(parts), got)
	}
	for i, part := range parts {
		if want := name + ", trial " + string(rune('1'+i)) + "\niterations: "; !strings.HasPrefix(part, want) {
			t.Errorf("no %q before\n%s", want, part)
		}
	}
	if strings.Contains(string(printed(t, Vanadium, page(t, func(*result.Trial) {}))), "trial") {
		t.Error("a trial that is alone is named")
	}
}
