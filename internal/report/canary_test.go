package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/jmhtable"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/canarytest"
)

// aFile is a results file as somebody else might send it: a trial with calls that failed, a good one, and one that failed.
func aFile(t *testing.T) *result.File {
	t.Helper()
	p := reporttest.Points()[5]
	file := &result.File{Name: "their.jsonl", Header: result.Header{
		Format: result.Format, Version: result.Version, Created: reporttest.Created, Scenarios: []result.Scenario{{Name: "quick"}},
	}}
	for repetition, model := range []reporttest.StackModel{reporttest.Models[0], reporttest.Models[0], reporttest.Models[1]} {
		file.Trials = append(file.Trials, reporttest.Invent(t, p, model, repetition+1))
	}
	file.Trials[2].Status, file.Trials[2].Failure = result.StatusFailed, "it ended"
	first := &file.Trials[0].Clients[0].Outcomes
	*first = append(*first, result.Outcome{Code: "UNAVAILABLE", Calls: 3, Example: "no"})
	return file
}

// What of a file can't be read is refused with an error, which commands print without what is hidden.
func TestNoStringOfAResultsFileReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	base := reporttest.Built(t, aFile(t))
	canarytest.Each(t, aFile(t), canarytest.Markup, func(t *testing.T, file *result.File) {
		r, err := analysis.Build([]*result.File{file})
		if err != nil {
			return
		}
		for format, output := range allFormats(t, r) {
			canarytest.NotHidden(t, format, output)
			if slices.Contains([]string{FormatHTML, FormatMarkdown, FormatSVG}, format) && strings.Contains(output, "<i class=canary") {
				t.Errorf("%s has markup of the file's", format)
			}
			if format == FormatMarkdown && strings.Contains(output, "@canary") {
				t.Error("somebody is mentioned in Markdown")
			}
		}
		var of compare.Selection
		compared, err := compare.Of(0.05, compare.FromReport("a", base, of), compare.FromReport(file.Name, r, of))
		if err != nil {
			return
		}
		for _, format := range document.Formats() {
			var out bytes.Buffer
			if err := comparison.Write(&out, format, compared, document.Checks{}, document.Style{}); err == nil {
				canarytest.NotHidden(t, "comparison as "+format, out.String())
			}
		}
	})
}

// allFormats prints a report in each format that can print it.
func allFormats(t *testing.T, r *analysis.Report) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, format := range Formats() {
		var out bytes.Buffer
		if IsFolder(format) {
			dir := t.TempDir()
			names, err := WriteFolder(dir, format, r)
			if err != nil {
				continue
			}
			for _, name := range names {
				content, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				all[format] += name + string(content)
			}
		} else if err := Write(&out, format, r, Options{}); err == nil {
			all[format] = out.String()
		}
	}
	return all
}

func TestNoStringOfAResultsFileIsAFormula(t *testing.T) {
	t.Parallel()
	canarytest.Each(t, aFile(t), canarytest.Formula, func(t *testing.T, file *result.File) {
		r, err := analysis.Build([]*result.File{file})
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Write(&out, FormatCSV, r, Options{}); err != nil {
			t.Fatal(err)
		}
		canarytest.NoFormula(t, out.String())
	})
}

func TestNoStringOfJMHsResultsReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	file := &jmh.File{Name: "jmh.json", Benchmarks: []jmh.Benchmark{{Name: "a.B.c", Mode: "sample", Threads: 2,
		Primary: jmh.Metric{Unit: "ns/op", Score: 5, Error: 1}}}}
	for _, text := range []string{canarytest.Text, canarytest.Formula} {
		canarytest.Each(t, file, text, func(t *testing.T, file *jmh.File) {
			for _, format := range document.Formats() {
				var out bytes.Buffer
				if err := jmhtable.Write(&out, format, []*jmh.File{file}, nil, document.Style{}); err != nil {
					t.Fatal(err)
				}
				canarytest.NotHidden(t, format, out.String())
				if format == FormatCSV {
					canarytest.NoFormula(t, out.String())
				}
			}
		})
	}
}
