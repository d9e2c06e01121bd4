package jmhtable

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
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
		{Name: "file", Value: file.Name}, {Name: "benchmark", Value: b.Name},
		{Name: "params", Value: cell.Present(paramWords(b.Params))},
		{Name: "mode", Value: b.Mode}, {Name: "threads", Value: int64(b.Threads)}, {Name: "metric", Value: cell.Present(name)},
		{Name: "unit", Value: m.Unit}, {Name: "forks", Value: int64(b.Forks)}, {Name: "samples", Value: m.Count()},
		{Name: "score", Value: known(m.Score)}, {Name: "score_error", Value: known(m.Error)},
	}
	for _, p := range jmhPercentiles {
		var value any
		if found, ok := m.Percentile(p.q); ok && b.Mode == sampleMode && name == "" {
			value = found
		}
		fields = append(fields, analysis.Field{Name: p.column, Value: value})
	}
	return fields
}

// jmhRecords are the fields of all metrics of files.
func jmhRecords(files []*jmh.File) iter.Seq[document.Object] {
	return func(yield func(document.Object) bool) {
		for _, file := range files {
			for _, b := range file.Benchmarks {
				if !yield(jmhFields(file, b, "", b.Primary)) {
					return
				}
				for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
					if !yield(jmhFields(file, b, strings.TrimPrefix(name, "·"), b.Secondary[name])) {
						return
					}
				}
			}
		}
	}
}

func jmhJSON(files []*jmh.File) any {
	return struct {
		Format  string            `json:"format"`
		Version int               `json:"version"`
		Notes   []string          `json:"notes"`
		Rows    []document.Object `json:"rows"`
	}{"rpcbench-jmh-report", document.JSONVersion, jmhFooter(files), slices.Collect(jmhRecords(files))}
}
