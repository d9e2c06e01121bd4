package main

import (
	"context"
	"sync"
	"time"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

const (
	startRuns = 20
	startMs   = 50
)

// startBar times what precedes a trial's first call, as the driver does it: both processes in parallel.
func startBar(ctx context.Context, r *rig) ([]line, error) {
	var lines []line
	for _, name := range []string{"tcp", "grpc-go"} {
		sample, err := repeat(ctx, startRuns, func() (float64, error) {
			took, err := r.firstCall(ctx, name)
			return took.Seconds() * 1000, err
		})
		if err != nil {
			return lines, err
		}
		lines = append(lines, atMost("start "+name, stat.Summarize(sample), startMs, "ms"))
	}
	return lines, nil
}

// firstCall returns the time from starting two processes to the news that a call is done.
func (r *rig) firstCall(ctx context.Context, name string) (time.Duration, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	server, client, err := startBoth(ctx, command)
	defer closeAll(server, client)
	if err != nil {
		return 0, err
	}
	address, err := serve(ctx, server, name, nil)
	if err != nil {
		return 0, err
	}
	if err := connect(ctx, client, point{stack: name, address: address, connections: 1, inFlight: 1}); err != nil {
		return 0, err
	}
	_, err = measure(ctx, client, demand{calls: 1})
	return time.Since(begun), err
}

func startBoth(ctx context.Context, command []string) (server, client *launch.Worker, err error) {
	var starting sync.WaitGroup
	var serverErr, clientErr error
	starting.Go(func() { server, serverErr = launch.Start(ctx, process.Command(command), launch.Order{}) })
	starting.Go(func() { client, clientErr = launch.Start(ctx, process.Command(command), launch.Order{}) })
	starting.Wait()
	if serverErr != nil {
		return server, client, serverErr
	}
	return server, client, clientErr
}

// closeAll ends the processes that there are.
func closeAll(processes ...*launch.Worker) {
	for _, p := range processes {
		if p != nil {
			_ = p.Close() // what was measured is known
		}
	}
}
