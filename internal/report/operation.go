package report

import "rpcbench/internal/results/analysis"

// operationFigures are what an operation of a batch has a share in.
var operationFigures = []figureColumn{
	{head: "p50/op", metric: analysis.ResponsePerOperation},
	{group: "on the wire B/op", head: "out", metric: analysis.WireOutPerOperation},
	{group: "on the wire B/op", head: "in", metric: analysis.WireInPerOperation},
	{group: "on the wire B/call", head: "out", metric: analysis.WireOutPerCall},
	{group: "on the wire B/call", head: "in", metric: analysis.WireInPerCall},
}

// hasBatch tells whether a row has more than one operation in a message.
func hasBatch(row *analysis.Row) bool { return row.Spec.Batch > 1 }

// operationView has what an operation of a table's batches costs: its share of the time, while it waits for all of its
// batch, and of the bytes on the wire.
func operationView(table *analysis.Table) *view {
	v := &view{rows: table.Rows, caption: "Per operation: " + table.Title}
	varying, _ := axes(table.Rows)
	v.columns = append([]column{stackColumn(table.Rows)}, varying...)
	for _, figure := range operationFigures {
		v.add(figure)
	}
	return v
}
