package report

import (
	"fmt"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// fewCalls marks a percentile of too few calls.
const fewCalls = "?"

// marked adds the mark to a cell that has too few calls.
func marked(c document.Cell, few bool) document.Cell {
	if few {
		c.Text += fewCalls
	}
	return c
}

// isOfFew reports whether a percentile of a row is of too few calls.
func isOfFew(row *analysis.Row, m analysis.Metric) bool { return analysis.TooFewFor(row.Trials, m) > 0 }

// fewWords explain the mark: how many calls, or other things, a percentile needs in a trial or a part of one.
func fewWords(things string, quantile float64, in string) []string {
	return []string{fmt.Sprintf("%s: too few %s for this percentile. A p%g needs at least %s in %s.", fewCalls, things, 100*quantile,
		number.Whole(stat.SamplesNeeded(quantile)), in)}
}

// fewNote explains the mark by the first of the percentiles that has it in a row; it is empty where none has.
func fewNote(things string, rows []*analysis.Row, percentiles ...analysis.Metric) []string {
	for _, m := range percentiles {
		for _, row := range rows {
			if isOfFew(row, m) {
				return fewWords(things, m.Declare().Quantile, "a trial")
			}
		}
	}
	return nil
}
