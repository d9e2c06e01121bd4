package report

import (
	"slices"

	"rpcbench/internal/results/analysis"
)

// operationFigures are figures that are divided by the operations of a batch.
var operationFigures = []figureColumn{
	{head: "p50/op", metric: analysis.ResponsePerOperation},
	{group: "CPU/op", head: "client", metric: analysis.ClientCPUPerOperation},
	{group: "CPU/op", head: "server", metric: analysis.ServerCPUPerOperation},
	{group: "wire B/op", head: "out", metric: analysis.WireOutPerOperation},
	{group: "wire B/op", head: "in", metric: analysis.WireInPerOperation},
	{group: "wire B/call", head: "out", metric: analysis.WireOutPerCall},
	{group: "wire B/call", head: "in", metric: analysis.WireInPerCall},
}

// hasBatch reports whether a row has more than one operation per message.
func hasBatch(row *analysis.Row) bool { return row.Spec.Batch > 1 }

// gcFigures are the costs of a runtime with a garbage-collected heap.
var gcFigures = []figureColumn{
	{group: "collections", head: "client", metric: analysis.ClientGCCycles},
	{group: "collections", head: "server", metric: analysis.ServerGCCycles},
	{group: "pauses", head: "client", metric: analysis.ClientGCPausePerSec},
	{group: "pauses", head: "server", metric: analysis.ServerGCPausePerSec},
	{group: "heap", head: "client", metric: analysis.ClientHeapBytes},
	{group: "heap", head: "server", metric: analysis.ServerHeapBytes},
}

func onJVM(row *analysis.Row) bool {
	return slices.ContainsFunc(row.Trials, func(t *analysis.Trial) bool { return t.OnJVM() })
}
