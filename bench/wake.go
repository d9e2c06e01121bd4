package main

import (
	"context"
	"fmt"
	"time"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/control"
)

const (
	wakeRuns     = 7
	wakePerSec   = 1000
	wakeInFlight = 10
	wakeP99      = 150 * time.Microsecond
	pacerPercent = 15
)

// A punctuality is how well an open load kept its times.
type punctuality struct {
	wake   [3]float64 // ns at p50, p99 and p999
	pacer  float64    // percent of a core
	perSec float64    // calls done a second, from the first one due to the last one done
}

// wakeBar measures lateness on an idle machine, and while calls over loopback keep the processors busy. The line "machine" is the
// same waiting on a thread that makes no calls: the system's part.
func wakeBar(ctx context.Context, r *rig) ([]line, error) {
	naps, err := repeat(ctx, wakeRuns, func() (float64, error) { return r.napP99(ctx) })
	if err != nil {
		return nil, err
	}
	nap := line{name: "wake p99 machine", measured: figure(stat.Summarize(naps), 1, "µs")}
	lines, err := wakeLines(ctx, "noop", func() (punctuality, error) {
		return r.punctual(ctx, r.noopWorker(), noopPoint(1, wakeInFlight), demand{duration: r.duration, perSec: wakePerSec}, warmup)
	})
	if err != nil {
		return nil, err
	}
	overTCP, err := wakeLines(ctx, "tcp", func() (punctuality, error) {
		return r.punctualOver(ctx, "tcp", caller{stack: "tcp", warmup: warmup})
	})
	lines = append(append([]line{nap}, lines...), overTCP...)
	if err != nil || !jvmBuilt() {
		return lines, err
	}
	// The JVM's pacer is another program.
	onJVM, err := wakeLines(ctx, "jvm", func() (punctuality, error) {
		return r.punctualOver(ctx, "grpc-go", caller{[]string{jvmWorker}, "grpc-java-netty", jvmWarmup})
	})
	return append(lines, onJVM...), err
}

func wakeLines(ctx context.Context, name string, run func() (punctuality, error)) ([]line, error) {
	runs, err := repeat(ctx, wakeRuns, run)
	if err != nil {
		return nil, err
	}
	p99 := summarize(runs, func(p punctuality) float64 { return p.wake[1] / microsecond })
	pacer := summarize(runs, func(p punctuality) float64 { return p.pacer })
	return []line{
		atMost("wake p99 "+name, p99, float64(wakeP99)/microsecond, "µs"),
		atMost("wake pacer "+name, pacer, pacerPercent, "% of a core"),
	}, nil
}

// summarize sums up one figure of several runs.
func summarize[T any](runs []T, figure func(T) float64) stat.Summary {
	sample := make([]float64, len(runs))
	for i, run := range runs {
		sample[i] = figure(run)
	}
	return stat.Summarize(sample)
}

// A caller is a worker, and its stack, that calls with 1 kB each way.
type caller struct {
	command []string // empty is rpcbench's own worker
	stack   string
	warmup  time.Duration
}

// punctualOver calls a server in a process of its own.
func (r *rig) punctualOver(ctx context.Context, server string, by caller) (punctuality, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return punctuality{}, err
	}
	p, address, err := startServer(ctx, command, nil, server, nil)
	if err != nil {
		return punctuality{}, err
	}
	defer p.Close()
	if len(by.command) > 0 {
		command = by.command
	}
	at := point{stack: by.stack, address: address, bytes: 1000, connections: 1, inFlight: wakeInFlight}
	return r.punctual(ctx, command, at, demand{duration: r.duration, perSec: wakePerSec}, by.warmup)
}

// punctual runs an open load in a fresh worker.
func (r *rig) punctual(
	ctx context.Context, command []string, at point, d demand, warmup time.Duration,
) (punctuality, error) {
	p, err := startClient(ctx, command, nil, at)
	if err != nil {
		return punctuality{}, err
	}
	defer p.Close()
	if err := warmUp(ctx, p, d, warmup); err != nil {
		return punctuality{}, err
	}
	before, err := p.Mark(ctx)
	if err != nil {
		return punctuality{}, err
	}
	done, err := measure(ctx, p, d)
	if err != nil {
		return punctuality{}, err
	}
	after, err := p.Mark(ctx)
	if err != nil {
		return punctuality{}, err
	}
	return punctualityOf(done, d, after.GetPacerCpuNs()-before.GetPacerCpuNs())
}

func punctualityOf(done *control.Done, d demand, pacerNs int64) (punctuality, error) {
	if due := int64(d.perSec * d.duration.Seconds()); done.GetArrivals() != due {
		return punctuality{}, fmt.Errorf("%d calls fell due, not %d", done.GetArrivals(), due)
	}
	elapsed := time.Duration(done.GetElapsedNs())
	p := punctuality{
		pacer:  100 * float64(pacerNs) / float64(elapsed),
		perSec: float64(done.GetArrivals()) / elapsed.Seconds(),
	}
	var err error
	for i, q := range []float64{.5, .99, .999} {
		if p.wake[i], err = quantile(done, "wake", q); err != nil {
			return p, err
		}
	}
	return p, nil
}
