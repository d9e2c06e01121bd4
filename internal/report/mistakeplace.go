package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
)

// sharedProcessors says what a single machine can't show.
func sharedProcessors(r *analysis.Report) []string {
	var texts []string
	for _, source := range measuredHere(r) {
		shared := func(row *analysis.Row) bool { return calls(source)(row) && row.SharesProcessors() }
		if slices.ContainsFunc(r.Rows, shared) {
			texts = append(texts, fmt.Sprintf("Client and server competed for CPU on the same %s. Separate them "+
				"(--set client_cpus=… --set server_cpus=…), or load a server on another machine.",
				number.Count(source.Header.Driver().Processors, "processor")))
		}
	}
	return texts
}

func loopbackAsNetwork(r *analysis.Report) []string {
	for _, source := range measuredHere(r) {
		far := func(row *analysis.Row) bool { return calls(source)(row) && linked(row) }
		if !slices.ContainsFunc(r.Rows, far) { // of links the legend speaks
			return []string{"Loopback is not a network: it has no distance, no queues and no loss. Emulate a " +
				"link (--set link=wan), or load a server on another machine."}
		}
	}
	return nil
}

// measuredHere returns the sources, joined ones once, whose clients called servers on their own machine. Where a server ran
// already is not known.
func measuredHere(r *analysis.Report) []*analysis.Source {
	var here []*analysis.Source
	for _, source := range r.Sources {
		elsewhere := func(row *analysis.Row) bool { return row.Source == source && (row.Elsewhere() || row.Apart()) }
		if source.Joined == source && slices.ContainsFunc(r.Rows, calls(source)) && !slices.ContainsFunc(r.Rows, elsewhere) {
			here = append(here, source)
		}
	}
	return here
}

// calls reports whether a row of the source called a server.
func calls(source *analysis.Source) func(*analysis.Row) bool {
	return func(row *analysis.Row) bool { return row.Source == source && !row.Spec.Coding() }
}
