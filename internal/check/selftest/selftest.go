// Package selftest checks whether rpcbench's figures are right on this machine: it measures servers with known behavior and
// compares reported figures with true ones.
//
// A check is an ordinary trial, run by the driver in fresh processes, against a server that obeys a script (package script).
// The truth is a formula (package truth). It never judges a figure without a stated tolerance, repeats a measurement that was
// wrong, blames a figure that the host may have distorted, or takes the truth from the part under test.
package selftest

import (
	"context"
	"fmt"
	"os"
	"time"

	"rpcbench/internal/check/floor"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
)

// Config configures a self-test.
type Config struct {
	Pairs    []Pair
	Effort   Effort
	Launcher launch.Launcher // of workers whose servers obey scripts
	// Drive runs trials: driver.Run, or a replacement in tests.
	Drive func(ctx context.Context, config driver.Config) (failed int, err error)
	Floor func(ctx context.Context, each time.Duration) (floor.Floor, error)
	Now   func() time.Time
	Meter driver.Meter                // of the host beside a check; nil reads nothing
	Begun func(i, n int, what string) // hears what is about to be measured; may be nil

	Temporary *scratch.Dir // for the kernel's times of calls; nil is the system's
}

// A Pair is a client and the server that it calls.
type Pair struct {
	Client, Server stack.Info
	LeastWarmup    time.Duration // that the client's runtime wants
}

// A Line is one figure beside its truth.
type Line struct {
	Stack     string
	Load      string // "unary 1x64 poisson 175/s"
	Server    string // what it does, "exponential 4ms"
	Figure    string // "response p50"
	Unit      Unit
	True      truth.Range
	Reported  float64
	Tolerance float64       // that True may be missed by, as a part of it
	Allowance time.Duration // that True may be missed by, where it is more
	Failure   string        // why nothing was reported; empty is a figure
	Disturbed string        // what the host did meanwhile that can have put the figure off; empty is nothing
}

// OK reports whether the figure is within its tolerance.
func (l Line) OK() bool {
	off, allowed := l.True.Off(l.Reported), float64(l.Allowance)
	within := -l.Tolerance <= off && off <= l.Tolerance || l.True.Lo-allowed <= l.Reported && l.Reported <= l.True.Hi+allowed
	return l.Failure == "" && within
}

// Inconclusive reports whether the figure is outside its tolerance, possibly because of the host.
func (l Line) Inconclusive() bool { return !l.OK() && l.Disturbed != "" }

// A Unit is the unit of a figure.
type Unit string

// Units.
const (
	Nanoseconds Unit = "ns"
	Calls       Unit = "calls"
)

// A Report is the result of a self-test.
type Report struct {
	Lines []Line
	Floor floor.Floor
}

// Failed returns how many lines are not OK, and not for the host's doing.
func (r Report) Failed() int {
	return r.count(func(l Line) bool { return !l.OK() && !l.Inconclusive() })
}

// Inconclusive returns how many lines are.
func (r Report) Inconclusive() int { return r.count(Line.Inconclusive) }

func (r Report) count(which func(Line) bool) int {
	n := 0
	for _, l := range r.Lines {
		if which(l) {
			n++
		}
	}
	return n
}

// wayMax is the maximum allowance for the time to a server and back.
const wayMax = time.Millisecond

// Run measures the machine's floor, then runs all checks one after another. A check whose trial fails yields lines that say so.
// The error means that ctx ended, or that the machine refused what the floor needs.
func Run(ctx context.Context, config Config) (Report, error) {
	var report Report
	folder, err := config.Temporary.Folder()
	if err != nil {
		return report, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // of temporary files
	var checks []check
	for _, pair := range config.Pairs {
		checks = append(checks, checksOf(pair, config.Effort)...)
		checks = append(checks, fast(pair, config.Effort, folder)...)
	}
	begun := config.Begun
	if begun == nil {
		begun = func(int, int, string) {}
	}
	begun(0, len(checks)+1, "the machine's floor")
	if report.Floor, err = config.Floor(ctx, config.Effort.Floor); err != nil {
		return report, err
	}
	for i, c := range checks {
		begun(i+1, len(checks)+1, c.spec.String())
		c.way = min(report.Floor.SparseP50, wayMax)
		lines, err := config.carryOut(ctx, c)
		if err != nil {
			return report, err
		}
		report.Lines = append(report.Lines, lines...)
	}
	return report, nil
}

// carryOut measures one check and reads its figures.
func (config Config) carryOut(ctx context.Context, c check) ([]Line, error) {
	kept := &keeper{}
	_, err := config.Drive(ctx, driver.Config{
		Trials:   []plan.Trial{{ID: c.spec.String(), Repetition: 1, Spec: c.spec}},
		Seed:     c.seed - 1, // the driver adds the repetition
		Launcher: config.Launcher, Results: kept, Progress: silence{}, Now: config.Now,
		Meter: config.Meter,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.spec, err)
	}
	return c.read(kept.trial), nil
}

// A keeper is the results of one trial.
type keeper struct{ trial result.Trial }

// Append implements driver.Results.
func (k *keeper) Append(trial result.Trial) error {
	k.trial = trial
	return nil
}

// silence is a driver.Progress that does nothing.
type silence struct{}

func (silence) Begun([]plan.Trial, int) {}
func (silence) Ended(result.Trial)      {}
