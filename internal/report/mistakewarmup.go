package report

import (
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/results/analysis"
)

// noWarmUp ignores calls that open a connection, because they are meant to be cold.
func noWarmUp(r *analysis.Report) []string {
	cold := someTrial(func(t *analysis.Trial) bool { return max(t.Spec.WarmupNs, t.Spec.WarmupMostNs) == 0 })
	return ofRows(r, func(row *analysis.Row) bool { return !row.Spec.Opens() && cold(row) },
		"measured without a warm-up: the figures include cold caches, connection pools and windows. Add one "+
			"(--warmup 2s..10s).")
}

// minJVMWarmUp is the minimum warm-up of a JVM that does not report its compilers. By then its second compiler may have
// compiled the path of a call.
const minJVMWarmUp = 5 * time.Second

// shortJVMWarmUp finds warm-ups that were shorter than planned, such as those that end after a number of calls. A note of the
// plan covers planned warm-ups that are too short, and the verdict JIT_ACTIVE JVMs that report their compilers.
func shortJVMWarmUp(r *analysis.Report) []string {
	short := someTrial(func(t *analysis.Trial) bool {
		took := formats.WarmedUp(t.Record, t.Spec)
		return t.OnJVM() && !t.KnowsCompilers() && took < minJVMWarmUp && took > 0 &&
			!slices.ContainsFunc(t.Source.Header.Notes, func(n plan.Note) bool { return n.Code == plan.NoteShortWarmup })
	})
	return ofRows(r, short,
		"measured on a JVM after less than 5 s of warm-up, so its compilers were still at work. A number of "+
			"calls also ends the warm-up: make more calls, or measure for a --duration.")
}
