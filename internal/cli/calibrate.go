package cli

import (
	"context"
	"errors"
	"os"
	"time"

	"rpcbench/internal/check/calibrate"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/report/progress"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/meter"
)

// calibrationSeed orders trials and draws: two calibrations of a machine differ by the machine alone.
const calibrationSeed = 1

// calibrate measures how often verdicts are wrong.
func (e *env) calibrate(ctx context.Context, f selftestFlags) error {
	switch {
	case f.full:
		return badInput(errors.New("--full and --calibrate exclude each other"))
	case len(f.stacks) > 1:
		return badInput(errors.New("--stacks: --calibrate takes one stack"))
	case len(f.stacks) == 0:
		f.stacks = []string{"tcp"}
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return err
	}
	pairs, err := selftest.Pairs(ctx, all, f.stacks)
	if err != nil {
		return badOrNotStarted(err)
	}
	if pairs[0].Client.Name != pairs[0].Server.Name {
		return badInput(errors.New("--stacks: --calibrate takes a stack of this binary"))
	}
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	effort := calibrate.Usual()
	if f.quick {
		effort = calibrate.Quick()
	}
	bar := &progress.Line{Out: os.Stderr, Terminal: isTerminal(os.Stderr), Width: widthOf(os.Stderr)}
	report, err := calibrate.Run(ctx, calibrate.Config{
		Stack: pairs[0].Client, Effort: effort, Launcher: selftest.Launcher(all), Drive: driver.Run, Now: time.Now, Meter: meter.New(),
		Begun: bar.Step, Seed: calibrationSeed,
	})
	bar.Clear()
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	if err == nil {
		err = report.Write(e.out)
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
