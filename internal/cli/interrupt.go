package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible ends the context with Ctrl-C, a SIGTERM, or the end of the terminal, unless nohup is to keep that off. A
// second one ends rpcbench at once, with the same code: the workers then meet the end of their input. What would not notice,
// last ends.
func interruptible(parent context.Context, last func()) (ctx context.Context, restore func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		<-signals
		last()
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		if ctx.Err() == nil { // what was interrupted stays so to its end
			signal.Stop(signals)
		}
		cancel()
	}
}

// untilInterrupted runs what is interruptible, where all that runs are workers.
func untilInterrupted(ctx context.Context, run func(context.Context) error) error {
	ctx, restore := interruptible(ctx, nothing)
	defer restore()
	return run(ctx)
}

// nothing is the last act where all that runs are workers.
func nothing() {}
