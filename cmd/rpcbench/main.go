// Command rpcbench measures RPC stacks and tells whether the numbers can be believed. See its README.
package main

import (
	"context"
	"os"

	"rpcbench/internal/cli"
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
	if tethered {
		return worker.RunTethered(ctx, os.Stdin, out, stacks, func() { os.Exit(1) })
	}
	return worker.Run(ctx, os.Stdin, out, stacks)
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
