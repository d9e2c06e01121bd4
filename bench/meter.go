package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/meter"
)

const (
	meterRuns    = 7
	meterPercent = 1 // of a core at the most
)

// childMeter watches the host as the driver does while a trial is measured, and prints the CPU time that its process took
// meanwhile, in ns.
func childMeter(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("the meter needs a length, not %q", args)
	}
	length, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	end := meter.New().Begin()
	time.Sleep(length)
	use := end()
	if use.CpuNs == nil {
		return errors.New("this system does not tell what a process takes")
	}
	fmt.Fprintln(os.Stdout, *use.CpuNs)
	return nil
}

// meterBar measures the cost of watching the host during a trial.
func meterBar(ctx context.Context, r *rig) ([]line, error) {
	runs, err := repeat(ctx, meterRuns, func() (float64, error) {
		us, err := childFigure(ctx, nil, r.self, "child-meter", r.duration.String())
		return us / float64(r.duration.Microseconds()) * 100, err
	})
	if err != nil {
		return nil, err
	}
	return []line{atMost("meter", stat.Summarize(runs), meterPercent, "% of a core")}, nil
}
