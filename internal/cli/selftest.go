package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"rpcbench/internal/check/floor"
	"rpcbench/internal/check/kernelclock"
	"rpcbench/internal/check/script"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/progress"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/meter"
)

// selftestFlags holds the flags of selftest.
type selftestFlags struct {
	stacks      []string
	quick, full bool
	calibrate   bool
	disturb     bool
	workers     workerFlags
}

// selftest measures servers whose behavior is known.
func (e *env) selftest() *cobra.Command {
	var f selftestFlags
	command := &cobra.Command{
		Use:   "selftest",
		Short: "Check that this machine measures correctly, against known answers",
		Long: "Selftest measures servers with known behaviour under every kind of load. It\n" +
			"prints what was reported next to the true value, and then the limits of the\n" +
			"machine itself.\n\n" +
			"The exit code is 1 if a figure is outside its tolerance, and 4 if other activity\n" +
			"on the machine may explain every such figure.\n\n" +
			"With --calibrate it measures how often rpcbench's verdicts are wrong on this\n" +
			"machine: a server against itself, and against servers that differ from it by\n" +
			"known amounts.",
		Example: "  rpcbench selftest --quick\n  rpcbench selftest --calibrate",
		Args:    noArguments,
		RunE:    func(command *cobra.Command, _ []string) error { return e.testSelf(command.Context(), f) },
	}
	flags := command.Flags()
	flags.StringSliceVar(&f.stacks, "stacks", nil, "comma-separated `stacks` to check (default: those of this binary)")
	flags.BoolVar(&f.quick, "quick", false, "shorter trials: about 7 s per stack instead of 40")
	flags.BoolVar(&f.full, "full", false, "20,000 calls per queue model: about 11 minutes per stack")
	flags.BoolVar(&f.calibrate, "calibrate", false,
		"measure the rates of false alarms and of changes found instead, with one stack (default tcp): about 8 minutes, at most 20; "+
			"with --quick about 2, at most 4")
	flags.BoolVar(&f.disturb, "disturb", false,
		"measure what other processes do to a p50 and a p99 instead, with one stack (default tcp): about 6 minutes, at most 9")
	f.workers.add(flags)
	command.AddCommand(e.scriptedWorker(), disturber())
	return command
}

// scriptedWorker returns a worker whose servers obey scripts. It is hidden, as worker is.
func (e *env) scriptedWorker() *cobra.Command {
	scripted := &env{work: e.work, out: e.out, err: e.err, screen: e.screen}
	for _, s := range e.stacks {
		scripted.stacks = append(scripted.stacks, kernelclock.Wrap(script.Wrap(s)))
	}
	return scripted.worker()
}

func (e *env) testSelf(ctx context.Context, f selftestFlags) error {
	if f.quick && f.full {
		return badInput(errors.New("--quick and --full exclude each other"))
	}
	if f.calibrate || f.disturb {
		return e.calibrate(ctx, f)
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return err
	}
	pairs, err := selftest.Pairs(ctx, all, f.stacks)
	if err != nil {
		return badOrNotStarted(err)
	}
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	bar := &progress.Line{Out: os.Stderr, Terminal: isScreen(os.Stderr), Width: widthOf(os.Stderr)}
	report, err := selftest.Run(ctx, selftest.Config{
		Pairs: pairs, Effort: f.effort(), Launcher: selftest.Launcher(all), Drive: driver.Run, Floor: floor.Measure,
		Now: time.Now, Meter: meter.New(), Begun: bar.Step, Temporary: all.Temporary(),
	})
	bar.Clear()
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err == nil {
		err = report.Write(e.out)
	}
	if err != nil {
		return failed(err)
	}
	if n := report.Failed(); n > 0 {
		return failed(fmt.Errorf("%s of %d not within tolerance", number.Count(n, "figure"), len(report.Lines)))
	}
	if n := report.Inconclusive(); n > 0 {
		return &exitError{exitInconclusive, fmt.Errorf("%s of %d inconclusive: other programs kept the machine busy",
			number.Count(n, "figure"), len(report.Lines))}
	}
	return nil
}

func (f *selftestFlags) effort() selftest.Effort {
	switch {
	case f.quick:
		return selftest.Quick()
	case f.full:
		return selftest.Full()
	default:
		return selftest.Usual()
	}
}
