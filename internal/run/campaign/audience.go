package campaign

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// An Audience is several who hear of trials: a driver.Watcher.
type Audience []driver.Watcher

// Begun implements driver.Progress.
func (a Audience) Begun(trials []plan.Trial, i int) {
	for _, one := range a {
		one.Begun(trials, i)
	}
}

// Passed implements driver.Watcher.
func (a Audience) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	for _, one := range a {
		one.Passed(trial, phase, client, interval)
	}
}

// Ended implements driver.Progress.
func (a Audience) Ended(trial result.Trial) {
	for _, one := range a {
		one.Ended(trial)
	}
}
