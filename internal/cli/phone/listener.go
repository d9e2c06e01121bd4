package phone

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// A listener reports a run's progress to a page.
type listener struct {
	page   *page
	begun  time.Time
	trials int
	ended  int
	failed int
	last   time.Time // that progress was told
}

// tellEvery is how often a page is told of intervals.
const tellEvery = 250 * time.Millisecond

// Begun implements driver.Progress.
func (l *listener) Begun(trials []plan.Trial, i int) {
	l.trials = len(trials)
	left := plan.Expected(trials[i:])
	_ = l.page.send(message{
		"kind": "trial", "done": l.ended, "of": l.trials, "name": nameOf(trials[i]), "left": left.Seconds(),
	})
}

// nameOf returns the name of a trial: its case, and its point without what all have in common.
func nameOf(t plan.Trial) string {
	spec := t.Spec
	spec.Options, spec.Server = nil, ""
	if len(t.Cases) == 0 {
		return spec.String()
	}
	return t.Cases[0].Title + ": " + spec.String()
}

// Passed implements driver.Watcher. It must return at once, and does not block the driver.
func (l *listener) Passed(_ plan.Trial, phase string, _ int, interval result.Interval) {
	if time.Since(l.last) < tellEvery {
		return
	}
	l.last = time.Now()
	perSec := float64(interval.OK) / (time.Duration(interval.EndNs - interval.StartNs).Seconds())
	go func() {
		_ = l.page.send(message{"kind": "interval", "warming": phase == result.PhaseWarmup, "perSec": perSec})
	}()
}

// Ended implements driver.Progress.
func (l *listener) Ended(trial result.Trial) {
	l.ended++
	if trial.Failure != "" {
		l.failed++
		_ = l.page.send(message{"kind": "failed", "text": trial.Failure})
	}
}
