package cli

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// An audience is several who hear of trials: a driver.Watcher.
type audience []driver.Watcher

// Begun implements driver.Progress.
func (a audience) Begun(trials []plan.Trial, i int) {
	for _, one := range a {
		one.Begun(trials, i)
	}
}

// Passed implements driver.Watcher.
func (a audience) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	for _, one := range a {
		one.Passed(trial, phase, client, interval)
	}
}

// Ended implements driver.Progress.
func (a audience) Ended(trial result.Trial) {
	for _, one := range a {
		one.Ended(trial)
	}
}
