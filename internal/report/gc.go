package report

import (
	"slices"

	"rpcbench/internal/results/analysis"
)

// gcFigures are what a runtime with a heap costs beside the calls.
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
