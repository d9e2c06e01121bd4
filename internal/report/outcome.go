package report

import (
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// showsOutcomes reports whether a row's codes are in a table: for calls of foreign methods, and for failures on a server that
// rpcbench did not start.
func showsOutcomes(row *analysis.Row) bool {
	return row.Calls > 0 && (row.Spec.Method != nil || row.Elsewhere() && len(row.Outcomes) > 0)
}

// outcomeTable shows how the calls of each row ended. The text of the first failure is in the row's notes.
func outcomeTable(rows []*analysis.Row) *document.Table {
	t := &document.Table{Caption: "Status codes", Columns: []document.Column{
		{Head: "stack", Key: true}, {Head: "code", Key: true}, {Head: "calls", Right: true}, {Head: "of all", Right: true},
	}}
	varying, _ := naming.Axes(rows)
	for i, row := range rows {
		if !showsOutcomes(row) {
			continue
		}
		name := naming.Row(rows, varying, i)
		ok := result.Outcome{Code: result.CodeOK, Calls: row.Calls - row.Errors()}
		for _, outcome := range slices.Concat([]result.Outcome{ok}, row.Outcomes) {
			t.Append(document.Texts(name, outcome.Code, number.Whole(outcome.Calls), number.Share(outcome.Calls, row.Calls))...)
			name = ""
		}
	}
	return t
}
