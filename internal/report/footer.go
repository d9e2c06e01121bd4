package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
)

// footer returns the sentences below all tables: how to read the columns, what was omitted, how warm-ups went, and where it was
// measured.
func footer(r *analysis.Report) []string {
	var lines []string
	for _, source := range r.Sources {
		for _, scenario := range source.Header.Scenarios {
			lines = naming.AppendNew(lines, scenario.Note)
		}
	}
	lines = append(lines, note.FirstLines(r.Rows)...)
	lines = append(lines, legend(r.Rows)...)
	lines = append(lines, energyLines(r.Rows)...)
	lines = append(lines, verdictLegends(r.Rows)...)
	return append(lines, provenance(r)...)
}

// provenance says what was omitted, where the evidence is, how warm-ups went, and where it was measured.
func provenance(r *analysis.Report) []string {
	var lines []string
	for _, source := range r.Sources {
		for _, note := range source.Header.Notes {
			lines = naming.AppendNew(lines, note.Text)
		}
	}
	lines = append(lines, evidenceFolders(r)...)
	lines = append(lines, compilerWarmUps(r.Rows)...)
	lines = append(lines, warmUps(r.Rows)...)
	lines = append(lines, virtualMachines(r.Rows)...)
	lines = append(lines, r.Warnings...)
	for _, source := range r.Sources {
		lines = append(lines, naming.Origin(source))
		lines = append(lines, otherHosts(source)...)
	}
	return lines
}

// evidenceFolders names the folders of evidence: next to their results file, unless they were moved.
func evidenceFolders(r *analysis.Report) []string {
	var lines []string
	for _, row := range r.Rows {
		for _, trial := range slices.Concat(row.Trials, row.Failed) {
			if len(trial.Evidence) > 0 {
				lines = naming.AppendNew(lines, fmt.Sprintf("Profiles and dumps of trials are in %s.evidence.",
					strings.TrimSuffix(trial.Source.Name, ".jsonl")))
			}
		}
	}
	return lines
}

// legend explains the columns that need it, if they are there.
func legend(rows []*analysis.Row) []string {
	var lines []string
	if slices.ContainsFunc(rows, hasRatio) {
		lines = append(lines, "× floor is how many times further from this machine's limit a row is than a bare "+
			"socket in the same run: the row's p50 divided by the floor's, or, with many calls in flight and for "+
			"streams, the floor's calls/s divided by the row's.")
	}
	lines = append(lines, batchLegend(rows)...)
	if slices.ContainsFunc(rows, showsMB) {
		lines = append(lines, "MB is 10^6 bytes of payload, both directions together.")
	}
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.WireCountedAt() == "server" }) {
		lines = append(lines, "Bytes on the wire were counted by the server where the client can't count them; "+
			"see the CSV column wire_counted_at.")
	}
	if slices.ContainsFunc(rows, has(analysis.ClientPacerPerCall)) {
		lines = append(lines, "The client's CPU/call includes the pacer's, which is also shown separately: the "+
			"instrument's own cost of keeping the schedule of an open loop.")
	}
	if slices.ContainsFunc(rows, has(analysis.NsPerOperation)) {
		lines = append(lines, "ns/op is the mean time of an operation, garbage collection included. MB/s is 10^6 "+
			"encoded bytes per second, so a larger encoding has more. × protobuf is the time divided by that of "+
			"protobuf on the same runtime.")
	}
	collected := has(analysis.ClientGCPausePerSec)
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Spec.Coding() && collected(row) }) {
		lines = append(lines, "GC is the time per second for which the garbage collector stopped the process.")
	}
	return append(lines, pathLegend(rows)...)
}

// pathLegend says what is unknown about the path between client and server, and what ends there.
func pathLegend(rows []*analysis.Row) []string {
	var lines []string
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Spec.InOneProcess() }) {
		lines = append(lines, "Over inproc client and server are one process, whose CPU/call and memory can't be told apart by side; "+
			"the CSV column cpu_ns_per_call has both together.")
	}
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Spec.Proxy != nil && row.Spec.Security == "tls" }) {
		lines = append(lines, "TLS ended at the proxy: its connection to the server was in plaintext.")
	}
	return lines
}

func has(m analysis.Metric) func(*analysis.Row) bool {
	return func(row *analysis.Row) bool {
		_, ok := row.Summary(m)
		return ok
	}
}

func hasRatio(row *analysis.Row) bool {
	_, ok := analysis.FloorTimes.Of(row)
	return ok && !row.IsFloor()
}

func showsMB(row *analysis.Row) bool {
	_, ok := row.Summary(analysis.PayloadMBPerSec)
	return ok && naming.QuestionAt(row.Spec) == naming.Streaming
}

// batchLegend explains the columns of batches and links.
func batchLegend(rows []*analysis.Row) []string {
	var lines []string
	if slices.ContainsFunc(rows, has(analysis.OperationsPerSec)) {
		lines = append(lines, "ops/s counts the operations in all messages. p50/op is a call's p50 divided by "+
			"its operations, although each operation waits for its whole batch. The cost of a message is the "+
			"line a + b·n, fitted to elapsed time per message, with 95% confidence intervals; an interval is "+
			"wide where the line fits badly.")
	}
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { _, ok := analysis.PatternTimes.Of(row); return ok }) {
		lines = append(lines, "× alternate is ops/s divided by the ops/s of the same batches sent one at a time "+
			"on one stream per connection.")
	}
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { _, ok := analysis.LinkTimes.Of(row); return ok }) {
		lines = append(lines, "× "+naming.NoLink+" is how many times slower a row is than without the link: its p50 "+
			"divided by the p50 without it, or, for "+
			"rates, the rate without it divided by the row's.")
	}
	if slices.ContainsFunc(rows, linked) {
		lines = append(lines, "Links are emulated in user space: they delay bytes, not packets. There was no "+
			"loss and no congestion control.")
	}
	return lines
}

func linked(row *analysis.Row) bool { return row.Spec.Link != nil }

// otherHosts describes the hosts other than the driver's.
func otherHosts(source *analysis.Source) []string {
	var lines []string
	for _, host := range source.Header.Hosts {
		if host.ID != "" {
			lines = append(lines, fmt.Sprintf("%s: host %s: %s", source.Name, host.ID, naming.Machine(host)))
		}
	}
	return lines
}
