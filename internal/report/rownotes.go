package report

import (
	"fmt"
	"strings"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
)

// rowNotes returns the remarks on single rows, each named by its stack and place.
func rowNotes(rows []*analysis.Row, varying []document.Column) []string {
	var lines []string
	for i, row := range rows {
		for _, note := range note.Of(row) {
			lines = append(lines, fmt.Sprintf("%s: %s.", naming.Row(rows, varying, i), strings.TrimSuffix(note, ".")))
		}
	}
	return append(lines, doubtNotes(rows, varying)...)
}
