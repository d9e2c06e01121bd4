package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/host"
)

// children are what this program is when it runs as its own child, by its first argument.
var children = map[string]func(args []string) error{
	"child-worker": childWorker,
	"child-loop":   childLoop,
	"child-nap":    childNap,
	"child-meter":  childMeter,
	"child-wire":   childWire,
}

// childWorker is a worker of the no-op stack: what it takes in time and memory is the instrument's alone.
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
	var out, said bytes.Buffer
	command := exec.CommandContext(ctx, self, args...)
	command.Stdout, command.Stderr = &out, &said
	if err := host.StartOn(command, cpus); err != nil {
		return 0, fmt.Errorf("start %s: %w", args[0], err)
	}
	if err := command.Wait(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", args[0], err, bytes.TrimSpace(said.Bytes()))
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(out.String()), 10, 64)
	return float64(ns) / microsecond, err
}
