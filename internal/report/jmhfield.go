package report

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/jmh"
)

// jmhFields are the columns of CSV: one record for the primary metric of each benchmark, which has no name, and one for
// each secondary metric.
func jmhFields(file *jmh.File, b jmh.Benchmark, name string, m jmh.Metric) []analysis.Field {
	known := func(n jmh.Number) any {
		if !n.Known() {
			return nil
		}
		return float64(n)
	}
	fields := []analysis.Field{
		{Name: "file", Value: file.Name}, {Name: "benchmark", Value: b.Name}, {Name: "params", Value: present(paramWords(b.Params))},
		{Name: "mode", Value: b.Mode}, {Name: "threads", Value: int64(b.Threads)}, {Name: "metric", Value: present(name)},
		{Name: "unit", Value: m.Unit}, {Name: "forks", Value: int64(b.Forks)}, {Name: "samples", Value: m.Count()},
		{Name: "score", Value: known(m.Score)}, {Name: "score_error", Value: known(m.Error)},
	}
	for _, p := range jmhPercentiles {
		var value any
		if found, ok := m.Percentile(p.q); ok && b.Mode == jmhSample && name == "" {
			value = found
		}
		fields = append(fields, analysis.Field{Name: p.column, Value: value})
	}
	return fields
}

// jmhRecords are the fields of all metrics of a file.
func jmhRecords(file *jmh.File) [][]analysis.Field {
	var records [][]analysis.Field
	for _, b := range file.Benchmarks {
		records = append(records, jmhFields(file, b, "", b.Primary))
		for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
			records = append(records, jmhFields(file, b, strings.TrimPrefix(name, "·"), b.Secondary[name]))
		}
	}
	return records
}

func writeJMHCSV(w io.Writer, files []*jmh.File) error {
	return writeRecords(w, func(yield func(object) bool) {
		for _, file := range files {
			for _, fields := range jmhRecords(file) {
				if !yield(fields) {
					return
				}
			}
		}
	})
}

func writeJMHJSON(w io.Writer, files []*jmh.File) error {
	out := struct {
		Format  string   `json:"format"`
		Version int      `json:"version"`
		Notes   []string `json:"notes"`
		Rows    []object `json:"rows"`
	}{Format: "rpcbench-jmh-report", Version: jsonVersion, Notes: jmhFooter(files)}
	for _, file := range files {
		for _, fields := range jmhRecords(file) {
			out.Rows = append(out.Rows, object(fields))
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
