package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	verb := "calibrate"
	if f.disturb {
		verb = "disturb"
	}
	switch {
	case f.full || f.disturb && f.quick:
		return badInput(fmt.Errorf("--%s takes no other effort", verb))
	case len(f.stacks) > 1:
		return badInput(fmt.Errorf("--stacks: --%s takes one stack", verb))
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
		return badInput(fmt.Errorf("--stacks: --%s takes a stack of this binary", verb))
	}
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	effort := calibrate.Usual()
	switch {
	case f.disturb:
		effort = calibrate.Disturbed()
	case f.quick:
		effort = calibrate.Quick()
	}
	bar := &progress.Line{Out: os.Stderr, Terminal: isTerminal(os.Stderr), Width: widthOf(os.Stderr)}
	config := calibrate.Config{
		Stack: pairs[0].Client, Effort: effort, Launcher: selftest.Launcher(all), Drive: driver.Run, Now: time.Now, Meter: meter.New(),
		Begun: bar.Step, Seed: calibrationSeed,
	}
	var report interface{ Write(w io.Writer) error }
	if f.disturb {
		report, err = calibrate.Disturb(ctx, config, disturbances())
	} else {
		report, err = calibrate.Run(ctx, config)
	}
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
