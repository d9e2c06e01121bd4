package report

import (
	"fmt"
	"strings"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
)

// rowNotes returns the remarks on single rows, each named by its stack and place, and after them the strips of their trials.
func rowNotes(rows []*analysis.Row, varying []document.Column) []string {
	var lines []string
	for i, row := range rows {
		for _, note := range note.Of(row) {
			lines = append(lines, fmt.Sprintf("%s: %s.", naming.Row(rows, varying, i), strings.TrimSuffix(note, ".")))
		}
	}
	lines = append(lines, doubtNotes(rows, varying)...)
	for _, strips := range note.Strips(rows, func(i int) string { return naming.Row(rows, varying, i) }) {
		lines = append(lines, strips+".")
	}
	return lines
}
