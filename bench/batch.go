package main

import (
	"context"
	"fmt"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/stack"
)

// Operations of 8 bytes each way, in messages of grpc-go on open streams, alternating: a message, its answer, the next
// message. Client and server are a process each on the same processors, and the server is fresh for every run.
const (
	batchRuns           = 7
	batchOperations     = 1000
	batchBytes          = 8
	batchStreams        = 4
	batchPerSecOne      = 1.2e6 // operations a second on one stream
	batchPerSecFour     = 2e6   // on batchStreams
	maxBatchMicrosPerOp = .8
)

// A batchRun is one phase.
type batchRun struct {
	perSec  float64 // operations
	message float64 // µs from a message to its answer, on the average
}

// batchBar measures how many operations per second messages of a thousand carry, and the cost of an operation in a message: the
// difference between messages of one and of a thousand.
func batchBar(ctx context.Context, r *rig) ([]line, error) {
	lines, err := r.batchLines(ctx, nil)
	if err != nil {
		return lines, err
	}
	pooled, err := r.batchLines(ctx, map[string]string{"codec": "pooled"})
	for _, l := range pooled { // beside the default, which alone is held to the limits
		l.name, l.limit = l.name+" pooled", ""
		lines = append(lines, l)
	}
	return lines, err
}

func (r *rig) batchLines(ctx context.Context, options map[string]string) ([]line, error) {
	one, err := repeat(ctx, batchRuns, func() (batchRun, error) { return r.batches(ctx, 1, 1, options) })
	if err != nil {
		return nil, err
	}
	many, err := repeat(ctx, batchRuns, func() (batchRun, error) { return r.batches(ctx, batchOperations, 1, options) })
	if err != nil {
		return nil, err
	}
	four, err := repeat(ctx, batchRuns, func() (batchRun, error) { return r.batches(ctx, batchOperations, batchStreams, options) })
	if err != nil {
		return nil, err
	}
	return batchLines(one, many, four), nil
}

func batchLines(one, many, four []batchRun) []line {
	adds := make([]float64, len(many))
	for i := range many {
		adds[i] = (many[i].message - one[i].message) / (batchOperations - 1)
	}
	perSec := func(runs []batchRun) stat.Summary {
		return summarize(runs, func(b batchRun) float64 { return b.perSec })
	}
	b := stat.Summarize(adds)
	return []line{
		atLeast("batch 1×1", perSec(many), batchPerSecOne, "operations/s"),
		atLeast(fmt.Sprintf("batch 1×%d", batchStreams), perSec(four), batchPerSecFour, "operations/s"),
		{
			name: "batch adds", measured: figure(b, 3, "µs/operation"), pass: b.Median <= maxBatchMicrosPerOp,
			limit: fmt.Sprintf("≤ %g µs/operation", maxBatchMicrosPerOp),
		},
		{name: "batch of one", measured: figure(perSec(one), 0, "operations/s")},
	}
}

// batches alternates on streams for the length of a run.
func (r *rig) batches(ctx context.Context, operations, streams int, options map[string]string) (batchRun, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return batchRun{}, err
	}
	server, address, err := startServer(ctx, command, nil, "grpc-go", options)
	if err != nil {
		return batchRun{}, err
	}
	defer server.Close()
	p, err := startClient(ctx, command, nil, point{
		stack: "grpc-go", kind: stack.KindPingPong, address: address, bytes: batchBytes, batch: operations,
		connections: 1, inFlight: streams, options: options,
	})
	if err != nil {
		return batchRun{}, err
	}
	defer p.Close()
	if err := warmUp(ctx, p, demand{}, warmup); err != nil {
		return batchRun{}, err
	}
	done, err := measure(ctx, p, demand{duration: r.duration})
	if err != nil {
		return batchRun{}, err
	}
	return batchRunOf(done.GetArrivals(), float64(done.GetElapsedNs()), operations, streams), nil
}

func batchRunOf(messages int64, elapsedNs float64, operations, streams int) batchRun {
	return batchRun{
		perSec:  float64(messages) * float64(operations) / (elapsedNs / 1e9),
		message: elapsedNs * float64(streams) / float64(messages) / microsecond,
	}
}
