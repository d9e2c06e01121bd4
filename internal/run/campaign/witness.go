package campaign

import (
	"cmp"
	"context"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// A witness sits between the driver and its listeners: it amends evidence before it is stored, and shows the stored evidence to
// the decision.
type witness struct {
	ctx      context.Context
	runner   *Runner
	decision Decision
	kept     result.Trial // the last one
	err      error        // the first of the decision's
}

// Append implements driver.Results.
func (w *witness) Append(evidence result.Trial) error {
	if w.runner.Stage != nil {
		w.runner.Stage.Amend(context.WithoutCancel(w.ctx), &evidence)
	}
	w.kept = evidence
	return w.runner.keep(evidence)
}

// Begun implements driver.Progress.
func (w *witness) Begun(trials []plan.Trial, i int) { w.runner.Driver.Progress.Begun(trials, i) }

// Passed implements driver.Watcher.
func (w *witness) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	if watcher, ok := w.runner.Driver.Progress.(driver.Watcher); ok {
		watcher.Passed(trial, phase, client, interval)
	}
}

// Ended implements driver.Progress, with the evidence as it was amended. The decision does not see interrupted trials: they are
// shorter than planned.
func (w *witness) Ended(result.Trial) {
	w.runner.Driver.Progress.Ended(w.kept)
	if w.kept.Interrupted {
		return
	}
	w.err = cmp.Or(w.err, w.decision.See(w.runner.measured(w.kept)))
}
