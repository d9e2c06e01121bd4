package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

// Anyone who has a token may add any number of points, so the time for one must not depend on how many there are.
func BenchmarkManyPoints(b *testing.B) {
	for name, changed := range map[string]func(trial *result.Trial){
		"of one case":    func(*result.Trial) {},
		"of a case each": func(trial *result.Trial) { trial.Cases[0].Title = trial.ID },
		"that failed": func(trial *result.Trial) {
			trial.Status, trial.Failure, trial.Clients = result.StatusFailed, "no", nil
		},
	} {
		for _, points := range []int{1000, 4000} {
			b.Run(fmt.Sprintf("%s/%d", name, points), func(b *testing.B) {
				file := manyPoints(b, points, changed)
				for b.Loop() {
					addMany(b, file)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*points), "ns/point")
			})
		}
	}
}

// manyPoints makes a results file of points whose calls failed, in part.
func manyPoints(b *testing.B, points int, changed func(*result.Trial)) (path string) {
	b.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	if err := h.RecordValues(1000, 9); err != nil {
		b.Fatal(err)
	}
	ns, err := result.EncodeHistogram(h)
	if err != nil {
		b.Fatal(err)
	}
	path = filepath.Join(b.TempDir(), "many.jsonl")
	writer, err := result.Create(path, result.Header{Created: reporttest.Created, Binary: result.Binary{Version: "0.1.0"},
		Hosts: []result.Host{{Name: "lab", Processors: 2}}, Scenarios: []result.Scenario{{Name: "many", Trials: 1}}})
	if err != nil {
		b.Fatal(err)
	}
	for i := range points {
		spec := reporttest.Points()[1].Spec
		spec.Stack, spec.Server, spec.Protocol, spec.RequestBytes = "grpc-go", "grpc-go", "grpc", i
		trial := result.Trial{
			ID: fmt.Sprint(i), Repetition: 1, Spec: spec, Cases: []plan.Case{{Scenario: "many", Title: "many"}},
			Started: reporttest.Created, Status: result.StatusOK, Servers: []result.Side{{}},
			Clients: []result.Client{{Record: result.Record{
				ElapsedNs: spec.DurationNs, Arrivals: 10, Histograms: map[string]string{result.HistResponse: ns},
				Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: 9}, {Code: "INTERNAL", Calls: 1}},
			}}},
		}
		changed(&trial)
		if err := writer.Append(trial); err != nil {
			b.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// addMany adds a file to an archive of its own.
func addMany(b *testing.B, path string) {
	b.Helper()
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	d, err := archive.Create(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if _, _, err := d.Add(b.Context(), path, file, most, archive.Facts{Commit: "aa"}); err != nil {
		b.Fatal(err)
	}
}
