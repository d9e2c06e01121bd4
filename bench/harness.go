package main

import (
	"context"
	"fmt"
	"strconv"

	"rpcbench/internal/results/stat"
)

// What both clients do: unary calls on one connection, of as many bytes as theirs has by default, with the buffers that
// theirs sets. Both warm up for a second, count the calls that begin within the duration, and divide by it.
//
// The server is ours, a fresh process for each pair, and both clients of a pair call it: theirs would listen on all
// interfaces, on a port that must be guessed.
//
// What differs, beyond the harness: their client profiles its own CPU as it runs, at 100 samples a second; calls with
// retries on, and with a context that can't be canceled; and connects to "localhost". Ours can cancel every call, which
// costs grpc-go an entry in a map, checks every reply's length, and counts the socket's bytes, because a measurement
// needs these. The heaps differ too, and with them how often each collects garbage.
const (
	harnessInFlight = 50
	harnessBytes    = 1
	harnessBuffers  = 128 << 10
	harnessRatio    = 0.97
	controlOff      = 0.02 // the widest interval, each way, of theirs against theirs that tells a harness from noise
)

// A contest is the pairs of ours and theirs, and, between them, of theirs and theirs.
type contest struct {
	pairs, control []pair
}

// harnessBar repeats the contest with each side pinned to a processor where the machine is too restless without.
func harnessBar(ctx context.Context, r *rig) ([]line, error) {
	free, err := r.contest(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	if within(ratios(free.control), controlOff) {
		return free.lines("harness", ""), nil
	}
	pinned, err := r.contest(ctx, []int{0}, []int{1})
	if err != nil {
		return free.lines("harness", ""), err
	}
	return append(free.explained(), pinned.lines("harness", " pinned")...), nil
}

func (r *rig) contest(ctx context.Context, serverCPUs, clientCPUs []int) (contest, error) {
	onServer := func(measure func(string) (pair, error)) (pair, error) { return r.onOneServer(ctx, serverCPUs, measure) }
	return r.compete(r.pairs, onServer,
		func(address string) (float64, error) { return r.ours(ctx, clientCPUs, address) },
		func(address string) (float64, error) { return r.theirs(ctx, clientCPUs, address) })
}

// compete measures n pairs of ours and theirs, each followed by one of theirs and theirs, every pair on a fresh server.
func (r *rig) compete(
	n int, onServer func(measure func(address string) (pair, error)) (pair, error), ours, theirs client,
) (contest, error) {
	between := func(a, b client) (pair, error) {
		return onServer(func(address string) (pair, error) {
			return pairOf(r.random,
				func() (float64, error) { return a(address) }, func() (float64, error) { return b(address) })
		})
	}
	var c contest
	for range n {
		both, err := between(ours, theirs)
		if err != nil {
			return c, err
		}
		control, err := between(theirs, theirs)
		if err != nil {
			return c, err
		}
		c.pairs, c.control = append(c.pairs, both), append(c.control, control)
	}
	return c, nil
}

// A client measures the calls per second that it gets out of a server.
type client func(address string) (perSec float64, err error)

// onOneServer measures a pair on a fresh server of grpc-go.
func (r *rig) onOneServer(ctx context.Context, cpus []int, measure func(address string) (pair, error)) (pair, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return pair{}, err
	}
	server, address, err := startServer(ctx, command, cpus, "grpc-go", nil)
	if err != nil {
		return pair{}, err
	}
	defer server.Close()
	return measure(address)
}

// ours returns the calls per second of our client, in a fresh process.
func (r *rig) ours(ctx context.Context, cpus []int, address string) (float64, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return 0, err
	}
	buffers := strconv.Itoa(harnessBuffers)
	p, err := startClient(ctx, command, cpus, point{
		stack: "grpc-go", address: address, bytes: harnessBytes, connections: 1, inFlight: harnessInFlight,
		options: map[string]string{"write_buffer_bytes": buffers, "read_buffer_bytes": buffers},
	})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	if err := warmUp(ctx, p, demand{}, warmup); err != nil {
		return 0, err
	}
	done, err := measure(ctx, p, demand{duration: r.duration})
	return float64(done.GetArrivals()) / r.duration.Seconds(), err
}

// lines holds the contest to the bar.
func (c contest) lines(name, suffix string) []line {
	ratio, control := ratios(c.pairs), ratios(c.control)
	return []line{
		{
			name: name + suffix, measured: "ours / theirs " + figure(ratio, 4, ""),
			limit: fmt.Sprintf("≥ %g", harnessRatio), pass: ratio.Median >= harnessRatio,
		},
		{
			name: name + " control" + suffix, measured: "theirs / theirs " + figure(control, 4, ""),
			limit: "contains 1", pass: contains(control, 1),
		},
		{name: name + " rate" + suffix, measured: "theirs " + figure(c.theirs(), 0, "calls/s")},
	}
}

// explained are the lines of a contest that another one replaces.
func (c contest) explained() []line {
	lines := c.lines("harness", " free")
	for i := range lines {
		lines[i].limit = ""
	}
	return append(lines, line{name: "harness", measured: fmt.Sprintf(
		"theirs / theirs is wider than ±%g%%: each side is pinned to a core", 100*controlOff)})
}

func (c contest) theirs() stat.Summary {
	return summarize(c.pairs, func(p pair) float64 { return p.b })
}
