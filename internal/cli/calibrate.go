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

// checkCalibration refuses conflicting flags, and returns the one that was given. Without stacks it uses bare sockets.
func (f *selftestFlags) checkCalibration() (verb string, err error) {
	verb = "calibrate"
	if f.disturb {
		verb = "disturb"
	}
	switch {
	case f.calibrate && f.disturb:
		err = errors.New("--calibrate and --disturb exclude each other")
	case f.full:
		err = fmt.Errorf("--full and --%s exclude each other", verb)
	case f.disturb && f.quick:
		err = errors.New("--quick and --disturb exclude each other")
	case len(f.stacks) > 1:
		err = fmt.Errorf("--stacks: --%s takes one stack", verb)
	case len(f.stacks) == 0:
		f.stacks = []string{"tcp"}
	}
	return verb, err
}

// calibration returns how much is measured.
func (f *selftestFlags) calibration() calibrate.Effort {
	switch {
	case f.disturb:
		return calibrate.Disturbed()
	case f.quick:
		return calibrate.Quick()
	default:
		return calibrate.Usual()
	}
}

// calibrate measures how often verdicts are wrong.
func (e *env) calibrate(ctx context.Context, f selftestFlags) error {
	verb, err := f.checkCalibration()
	if err != nil {
		return badInput(err)
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
	bar := &progress.Line{Out: os.Stderr, Terminal: isScreen(os.Stderr), Width: widthOf(os.Stderr)}
	config := calibrate.Config{
		Stack: pairs[0].Client, Effort: f.calibration(), Launcher: selftest.Launcher(all), Drive: driver.Run,
		Now: time.Now, Meter: meter.New(),
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
		return errInterrupted
	}
	if err == nil {
		err = report.Write(e.out)
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
