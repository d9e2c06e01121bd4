// Package browser opens the pages of reports in a real browser. The tests themselves are web/test, which node runs with
// playwright-core; here are the invented results that they look at, with their CSV beside them.
package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/report"
	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/canarytest"
)

func TestPagesInABrowser(t *testing.T) {
	web, err := filepath.Abs("../../../web")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(web, "node_modules")); err != nil {
		t.Skip("no node_modules in web: make test-web sets up what this needs")
	}
	pages := t.TempDir()
	writeReport(t, pages, "quick", reporttest.Quick(t), report.Options{})
	writeReport(t, pages, "batch", reporttest.BatchRun(t), report.Options{})
	writeReport(t, pages, "codec", reporttest.CodecRun(t), report.Options{})
	writeReport(t, pages, "open", openRates(t), report.Options{})
	writeReport(t, pages, "load", oneLoad(t), report.Options{})
	writeReport(t, pages, "published", reporttest.SimpleRun(t, 3, map[string]float64{"grpc-go": 0.1, "connect-go": 0.2}, nil),
		report.Options{Reference: reporttest.FindReference(t, "vanadium-readme")})
	writeReport(t, pages, "hostile", hostile(t), report.Options{})
	writeReport(t, pages, "thousand", Thousand(t), report.Options{})
	writeComparison(t, pages)
	address, folder := site(t)
	command := exec.CommandContext(t.Context(), "node", "--test", "test/report.test.mjs", "test/ui.test.mjs")
	command.Dir, command.Env = web, append(os.Environ(), "PAGES="+pages, "SITE="+address, "FOLDER="+folder)
	said, err := command.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Error(err)
	}
}

func writeReport(t *testing.T, folder, name string, r *analysis.Report, options report.Options) {
	t.Helper()
	written(t, filepath.Join(folder, name+".html"), func(file *os.File) error {
		return report.Write(file, report.FormatHTML, r, options)
	})
	written(t, filepath.Join(folder, name+".csv"), func(file *os.File) error {
		return report.Write(file, report.FormatCSV, r, report.Options{})
	})
}

func written(t *testing.T, path string, write func(*os.File) error) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeComparison compares trials that are the same, worse, better and too few.
func writeComparison(t *testing.T, folder string) {
	t.Helper()
	side := func(name string, factors map[int]float64) compare.Set {
		file := &result.File{Name: name}
		for i, factor := range factors {
			for repetition := 1; repetition <= 8; repetition++ {
				model := reporttest.Models[1]
				model.Factor *= factor * (1 + 0.001*float64(repetition))
				scene := reporttest.Points()[1]
				scene.Spec.RequestBytes = i
				trial := reporttest.Invent(t, scene, model, 2)
				trial.ID, trial.Repetition = fmt.Sprint(i, repetition), repetition
				trial.Started = trial.Started.Add(time.Duration(repetition) * time.Hour)
				file.Trials = append(file.Trials, trial)
			}
		}
		return compare.FromReport(name, reporttest.Built(t, file), compare.Selection{})
	}
	compared, err := compare.Of(compare.SameUsually, side("before.jsonl", map[int]float64{100: 1, 200: 1, 300: 1}),
		side("after.jsonl", map[int]float64{100: 1.3, 200: 1.001, 300: 0.7}))
	if err != nil {
		t.Fatal(err)
	}
	written(t, filepath.Join(folder, "compare.html"), func(file *os.File) error {
		return comparison.Write(file, document.HTML, compared, document.Style{})
	})
}

// openRates is an open load at several rates.
func openRates(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "open.jsonl", Header: result.Header{Scenarios: []result.Scenario{
		{Name: "openloop", Question: "What is the latency at a fixed arrival rate?"}}}}
	for _, rate := range []float64{500, 1000, 2000, 4000} {
		for _, model := range reporttest.Models[1:3] {
			scene := reporttest.Points()[5]
			scene.Spec.OfferedPerSec, scene.PerSec, scene.P50Ns = rate, rate, scene.P50Ns*(1+rate/2000)
			trial := reporttest.Invent(t, scene, model, 2)
			trial.ID, trial.Cases[0].Scenario = fmt.Sprint(rate, model.Name), "openloop"
			file.Trials = append(file.Trials, trial)
		}
	}
	return reporttest.Built(t, file)
}

// oneLoad is a load of a server that ran already, with windows and the percentiles of each second.
func oneLoad(t *testing.T) *analysis.Report {
	t.Helper()
	return reporttest.OpenLoads(t, func(trial *result.Trial) {
		trial.Spec.Target, trial.Servers, trial.Floor = "127.0.0.1:50051", nil, false
		record := &trial.Clients[0].Record
		for i := range record.Intervals {
			if i%10 == 9 {
				p50 := int64(100_000 + 1000*i)
				record.Intervals[i].Response = &result.Quantiles{Calls: 250, P50Ns: p50, P90Ns: 2 * p50, P99Ns: 3 * p50, MaxNs: 9 * p50}
				h := hdrhistogram.New(1, int64(time.Hour), 3)
				for _, n := range []int64{1, 2, 9} {
					if err := h.RecordValues(p50*n, 100/n); err != nil {
						t.Fatal(err)
					}
				}
				encoded, err := result.EncodeHistogram(h)
				if err != nil {
					t.Fatal(err)
				}
				record.Windows = append(record.Windows, result.Window{StartNs: record.Intervals[i-9].StartNs,
					EndNs: record.Intervals[i].EndNs, Response: encoded})
			}
		}
	})
}

// hostile has what a page would run in as many strings as a report bears.
func hostile(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "their.jsonl", Header: result.Header{Format: result.Format, Version: result.Version,
		Created: reporttest.Created, Scenarios: []result.Scenario{{Name: "quick"}}}}
	for repetition, model := range []reporttest.StackModel{reporttest.Models[0], reporttest.Models[1], reporttest.Models[1]} {
		file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[5], model, repetition+1))
	}
	file.Trials[2].Status, file.Trials[2].Failure = result.StatusFailed, "it ended"
	accepted := func(changed *result.File) bool {
		r, err := analysis.Build([]*result.File{changed})
		return err == nil && len(r.Rows) >= 2
	}
	return reporttest.Built(t, canarytest.Most(t, file, canarytest.Markup, accepted))
}

// Thousand is a run of a thousand trials: twenty of each of fifty rows.
func Thousand(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "thousand.jsonl"}
	for size := range 10 {
		for stack := range 5 {
			for repetition := 1; repetition <= 20; repetition++ {
				model := reporttest.Models[1]
				model.Name = fmt.Sprintf("stack-%d", stack)
				scene := reporttest.Points()[1]
				scene.Spec.RequestBytes = 100 << size
				trial := reporttest.Invent(t, scene, model, repetition%5)
				trial.ID, trial.Repetition = fmt.Sprint(size, stack, repetition), repetition
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return reporttest.Built(t, file)
}
