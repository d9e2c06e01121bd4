package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// childNap keeps the times of a schedule without making calls: it waits on its own thread, and prints the p99 of its lateness in
// ns. A worker's wake is this and the hand-over to a slot.
func childNap(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("the nap needs a length, not %q", args)
	}
	length, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	waiter, histogram := load.NewWaiter(), record.NewHistogram()
	begun := time.Now()
	for due := time.Duration(0); due < length; due += time.Second / wakePerSec {
		if left := due - time.Since(begun); left > 0 {
			waiter.Wait(left)
		}
		if err := histogram.RecordValue(max(1, int64(time.Since(begun)-due))); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stdout, record.Quantile(histogram, .99))
	return nil
}

// napP99 runs childNap. It returns µs.
func (r *rig) napP99(ctx context.Context) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, r.duration+deadline)
	defer cancel()
	return childFigure(ctx, nil, r.self, "child-nap", r.duration.String())
}
