package main

import (
	"context"
	"os"
	"os/signal"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
)

// children are what this program is when it runs as its own child, by its first argument.
var children = map[string]func(args []string) error{
	"child-worker": childWorker,
	"child-loop":   childLoop,
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
