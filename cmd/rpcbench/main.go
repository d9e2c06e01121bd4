// Command rpcbench measures RPC stacks and reports whether the numbers can be believed. See its README.
package main

import (
	"context"
	"os"

	"rpcbench/internal/cli"
	"rpcbench/internal/run/leash"
	"rpcbench/internal/run/program"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/httpwire"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], stacks(), work))
}

// work is the other role of this binary.
func work(ctx context.Context, stacks []stack.Stack, tethered bool) error {
	out, err := worker.TakeStdout()
	if err != nil {
		return err
	}
	through, err := leash.Through()
	if err != nil {
		return err
	}
	abandon := func() { os.Exit(1) }
	temporary := new(scratch.Dir)
	defer func() { _ = temporary.Remove() }() // else the next process does
	programs := worker.WithPrograms(program.Starter{Through: through, Temporary: temporary}, func() { os.Exit(0) })
	if tethered {
		return worker.RunTethered(ctx, os.Stdin, out, stacks, abandon, programs)
	}
	return worker.Run(ctx, os.Stdin, out, stacks, programs)
}

// stacks lists the Go stacks of this binary in the order of reports.
func stacks() []stack.Stack {
	return []stack.Stack{
		tcp.New(),
		grpcgo.New(),
		grpcwire.New(),
		connectgo.New(),
		connectgo.NewJSON(),
		httpjson.New(),
		httpwire.New(),
		codec.New(),
	}
}
