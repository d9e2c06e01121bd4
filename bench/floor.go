package main

import (
	"context"
	"fmt"
	"time"

	"rpcbench/internal/stack"
)

const (
	floorRatio  = 1.05
	floorMoreUs = 1
	floorBytes  = 1000
	maxFloorRun = 2 * time.Second // some 50,000 calls, which is plenty for a p50
)

var floorServerCPUs, floorClientCPUs = []int{0}, []int{1}

// floorBar sets the tcp stack beside a bare loop: one caller, 1 kB each way, one server for both of a pair. Each side is
// pinned to a processor: where the scheduler puts client and server, on one processor or on two, decides about tens of
// microseconds, and it decides differently from process to process.
func floorBar(ctx context.Context, r *rig) ([]line, error) {
	var lines []line
	for _, kind := range []string{stack.KindPingPong, stack.KindUnary} {
		pairs, err := repeat(ctx, r.pairs, func() (pair, error) { return r.floorPair(ctx, kind) })
		if err != nil {
			return lines, err
		}
		lines = append(lines, floorLines(kind, pairs)...)
	}
	return lines, nil
}

// floorPair measures the p50 of the tcp stack and of the loop, in µs.
func (r *rig) floorPair(ctx context.Context, kind string) (pair, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return pair{}, err
	}
	server, address, err := startServer(ctx, command, floorServerCPUs, "tcp", nil)
	if err != nil {
		return pair{}, err
	}
	defer server.Close()
	length := min(r.duration, maxFloorRun)
	at := point{stack: "tcp", kind: kind, address: address, bytes: floorBytes, connections: 1, inFlight: 1}
	return pairOf(r.random,
		func() (float64, error) { return stackP50(ctx, command, at, length) },
		func() (float64, error) { return r.loopP50(ctx, address, length) })
}

func stackP50(ctx context.Context, command []string, at point, length time.Duration) (float64, error) {
	p, err := startClient(ctx, command, floorClientCPUs, at)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	if err := warmUp(ctx, p, demand{}, warmup); err != nil {
		return 0, err
	}
	done, err := measure(ctx, p, demand{duration: length})
	if err != nil {
		return 0, err
	}
	p50, err := quantile(done, "response", .5)
	return p50 / microsecond, err
}

// floorLines passes when either the ratio or the difference does: 1 µs is more than 5% of a fast call.
func floorLines(kind string, pairs []pair) []line {
	ratio, more := ratios(pairs), differences(pairs)
	loop := summarize(pairs, func(p pair) float64 { return p.b })
	return []line{
		{
			name: "floor " + kind, measured: "stack / loop " + figure(ratio, 3, ""),
			limit: fmt.Sprintf("≤ %g or 1 µs more", floorRatio),
			pass:  ratio.Median <= floorRatio || more.Median <= floorMoreUs,
		},
		{name: "floor " + kind + " more", measured: "stack − loop " + figure(more, 2, "µs")},
		{name: "floor " + kind + " loop", measured: "p50 " + figure(loop, 1, "µs")},
	}
}
