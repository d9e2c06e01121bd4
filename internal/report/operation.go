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
