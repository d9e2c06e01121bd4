package report

import (
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// showsOutcomes tells whether a row's codes stand in a table: of calls of somebody else's method, and of whatever failed
// on a server that rpcbench did not start.
func showsOutcomes(row *analysis.Row) bool {
	return row.Calls > 0 && (row.Spec.Method != nil || row.Elsewhere() && len(row.Outcomes) > 0)
}

// outcomeView is a table of how the calls of each row ended. What the first of them said is in the row's notes.
func outcomeView(rows []*analysis.Row) *view {
	v := &view{caption: "Status codes"}
	stacks, codes := column{head: "stack"}, column{head: "code"}
	calls, shares := column{head: "calls", right: true}, column{head: "of all", right: true}
	varying, _ := axes(rows)
	for i, row := range rows {
		if !showsOutcomes(row) {
			continue
		}
		name := rowName(rows, varying, i)
		ok := result.Outcome{Code: result.CodeOK, Calls: row.Calls - row.Errors()}
		for _, outcome := range slices.Concat([]result.Outcome{ok}, row.Outcomes) {
			stacks.cells = append(stacks.cells, cell{value: name})
			codes.cells = append(codes.cells, cell{value: outcome.Code})
			calls.cells = append(calls.cells, cell{value: number.Whole(outcome.Calls)})
			shares.cells = append(shares.cells, cell{value: number.Share(outcome.Calls, row.Calls)})
			name = ""
		}
	}
	v.columns = []column{stacks, codes, calls, shares}
	return v
}
