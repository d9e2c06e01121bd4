package main

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/host"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

const (
	recordRuns     = 10
	recordCalls    = 20_000_000 // of a run: half a second
	closedRecordNs = 25
	openRecordNs   = 60
)

// A recording is the cost of recording one sample.
type recording struct {
	ns          float64 // of CPU, so that what else the machine does counts little
	allocations float64
}

// recordBar times the Recorder that workers use, with latencies spread as those of calls are.
func recordBar(ctx context.Context, _ *rig) ([]line, error) {
	closed, err := recordLines(ctx, "record closed", false, closedRecordNs)
	if err != nil {
		return nil, err
	}
	open, err := recordLines(ctx, "record open", true, openRecordNs)
	return append(closed, open...), err
}

func recordLines(ctx context.Context, name string, open bool, limit float64) ([]line, error) {
	latencies := latencies()
	runs, err := repeat(ctx, recordRuns, func() (recording, error) { return timeRecord(open, latencies), nil })
	if err != nil {
		return nil, err
	}
	allocations := summarize(runs, func(r recording) float64 { return r.allocations })
	return []line{
		atMost(name, summarize(runs, func(r recording) float64 { return r.ns }), limit, "ns"),
		{
			name: name + " memory", measured: figure(allocations, 3, "allocations"),
			limit: "< 0.001", pass: allocations.Hi < 0.001, // the runtime's own, and none a call
		},
	}, nil
}

func timeRecord(open bool, latencies *[1024]time.Duration) recording {
	r := record.New(record.Config{
		Shards: 2 * runtime.GOMAXPROCS(0), Open: open, Windows: windows,
		Codes: int(stack.Mismatch) + 1, Code: func(error) int { return int(stack.Unknown) },
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := cpu()
	var now time.Duration
	var sample load.Sample
	for i := range recordCalls {
		took := latencies[i%len(latencies)]
		sample = load.Sample{Due: now, Sent: now + took/4, Done: now + took, Wake: took / 8, Queue: took / 8}
		r.Record(3, &sample)
		now += took
	}
	used := cpu() - begun
	runtime.ReadMemStats(&after)
	return recording{
		ns:          float64(used) / recordCalls,
		allocations: float64(after.Mallocs-before.Mallocs) / recordCalls,
	}
}

// cpu returns the CPU time that this process has used.
func cpu() time.Duration {
	usage := host.Self()
	return usage.CPUUser + usage.CPUSystem
}

// latencies are log-normal around 100 µs, so a call's entry is seldom in the bucket of the previous one. They are few enough to
// stay in the first-level cache, as a real call's times do.
func latencies() *[1024]time.Duration {
	random := rand.New(rand.NewPCG(1, 0))
	var made [1024]time.Duration
	for i := range made {
		made[i] = time.Duration(1e5 * math.Exp(0.4*random.NormFloat64()))
	}
	return &made
}
