package report

import (
	"slices"

	"rpcbench/internal/compare"
)

// gcFigures are what a runtime with a heap costs beside the calls.
var gcFigures = []figureColumn{
	{group: "collections", head: "client", metric: compare.ClientGCCycles, measure: asItIs},
	{group: "collections", head: "server", metric: compare.ServerGCCycles, measure: asItIs},
	{group: "pauses", head: "client", metric: compare.ClientGCPausePerSec, measure: pauseTime},
	{group: "pauses", head: "server", metric: compare.ServerGCPausePerSec, measure: pauseTime},
	{group: "heap", head: "client", metric: compare.ClientHeapBytes, measure: heapSize},
	{group: "heap", head: "server", metric: compare.ServerHeapBytes, measure: heapSize},
}

func onJVM(row *compare.Row) bool {
	return slices.ContainsFunc(row.Trials, func(t *compare.Trial) bool { return t.OnJVM() })
}

// gcView has the garbage collections and heaps of a table's rows.
func gcView(table *compare.Table) *view {
	v := &view{rows: table.Rows, caption: "Garbage collection: " + table.Title,
		detail: "in the measured phase; heap in use at its end, garbage included"}
	varying, _ := axes(table.Rows)
	v.columns = append([]column{stackColumn(table.Rows)}, varying...)
	for _, figure := range gcFigures {
		v.add(figure)
	}
	return v
}
