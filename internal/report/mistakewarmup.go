package report

import (
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/results/analysis"
)

// noWarmUp leaves out calls that open a connection: what is cold about them is what they are for.
func noWarmUp(r *analysis.Report) []string {
	cold := someTrial(func(t *analysis.Trial) bool { return max(t.Spec.WarmupNs, t.Spec.WarmupMostNs) == 0 })
	return ofRows(r, func(row *analysis.Row) bool { return !row.Spec.Opens() && cold(row) },
		"measured without a warm-up: the figures include cold caches, connection pools and windows. Add one "+
			"(--warmup 2s..10s).")
}

// jvmWarmUpLeast is how long a JVM must warm up where it does not tell what its compilers do: by then its second compiler may
// be done with the path of a call.
const jvmWarmUpLeast = 5 * time.Second

// shortJVMWarmUp finds warm-ups that were shorter than planned, as those are that end after a number of calls. Of one that was
// planned too short a note of the plan tells, and where it is known what compilers did the verdict JIT_ACTIVE.
func shortJVMWarmUp(r *analysis.Report) []string {
	short := someTrial(func(t *analysis.Trial) bool {
		took := formats.WarmedUp(t.Record, t.Spec)
		return t.OnJVM() && !t.KnowsCompilers() && took < jvmWarmUpLeast && took > 0 &&
			!slices.ContainsFunc(t.Source.Header.Notes, func(n plan.Note) bool { return n.Code == plan.NoteShortWarmup })
	})
	return ofRows(r, short,
		"measured on a JVM after less than 5 s of warm-up, so its compilers were still at work. A number of "+
			"calls also ends the warm-up: make more calls, or measure for a --duration.")
}
