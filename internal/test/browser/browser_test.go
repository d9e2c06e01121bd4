// Package browser opens the pages of reports in a real browser. The tests themselves are web/test, which node runs with
// playwright-core; here are the invented results that they look at, with their CSV beside them.
package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rpcbench/internal/report"
	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/jmhtable"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/result"
)

func TestPagesInABrowser(t *testing.T) {
	web(t)
	pages := t.TempDir()
	writeReport(t, pages, "quick", reporttest.Quick(t), report.Options{})
	writeReport(t, pages, "batch", reporttest.BatchRun(t), report.Options{})
	writeReport(t, pages, "codec", reporttest.CodecRun(t), report.Options{})
	writeReport(t, pages, "open", openRates(t), report.Options{})
	writeReport(t, pages, "servers", severalServers(t), report.Options{})
	writeReport(t, pages, "load", oneLoad(t, 1), report.Options{})
	writeReport(t, pages, "long", longLoad(t), report.Options{})
	writeReport(t, pages, "failed", reporttest.OpenLoads(t, reporttest.Fail), report.Options{})
	writeReport(t, pages, "loads", oneLoad(t, 3), report.Options{})
	writeReport(t, pages, "published", reporttest.SimpleRun(t, 3, map[string]float64{"grpc-go": 0.1, "connect-go": 0.2}, nil),
		report.Options{Reference: reporttest.FindReference(t, "vanadium-readme")})
	writeReport(t, pages, "hostile", hostile(t), report.Options{})
	writeReport(t, pages, "thousand", Thousand(t), report.Options{})
	writeReport(t, pages, "rows", manyRows(t), report.Options{})
	writeReport(t, pages, "names", longNames(t), report.Options{})
	writeReport(t, pages, "clients", apart(t, clients(t)), report.Options{})
	writeReport(t, pages, "fleet", reporttest.Built(t, clients(t)), report.Options{})
	writeReport(t, pages, "capacity", capacities(t), report.Options{})
	writeReport(t, pages, "ab", twoServers(t), report.Options{})
	writeComparison(t, pages)
	writeJMH(t, pages)
	address, folder := site(t)
	node(t, []string{"PAGES=" + pages, "SITE=" + address, "FOLDER=" + folder}, "--test", "test/report.test.mjs", "test/ui.test.mjs")
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
		return comparison.Write(file, document.HTML, compared, document.Checks{}, document.Style{})
	})
}

// writeJMH sets the results of two runs of JMH beside each other.
func writeJMH(t *testing.T, folder string) {
	t.Helper()
	var files []*jmh.File
	for _, name := range []string{"before.json", "after.json"} {
		file, err := jmh.ReadFile(filepath.Join("../../results/jmh/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	written(t, filepath.Join(folder, "jmh.html"), func(file *os.File) error {
		return jmhtable.Write(file, document.HTML, files, nil, document.Style{})
	})
}
