package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"

	"rpcbench/internal/run/child"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
)

// children are the functions of this program as its own child process, by its first argument.
var children = map[string]func(args []string) error{
	"child-worker": childWorker,
	"child-loop":   childLoop,
	"child-nap":    childNap,
	"child-meter":  childMeter,
	"child-wire":   childWire,
	"child-crowd":  childCrowd,
	"child-fanin":  childFanin,
}

// childWorker is a worker of the no-op stack: all the time and memory that it uses are the instrument's.
func childWorker([]string) error {
	signal.Ignore(os.Interrupt) // its parent decides when it ends
	out, err := worker.TakeStdout()
	if err != nil {
		return err
	}
	return worker.Run(context.Background(), os.Stdin, out, []stack.Stack{noop{}})
}

// childFigure runs a child that prints one figure in ns, on the given processors (none is all), and returns it in µs.
func childFigure(ctx context.Context, cpus []int, self string, args ...string) (float64, error) {
	out, err := child.Run(ctx, exec.Command(self, args...), cpus)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
	return float64(ns) / microsecond, err
}
