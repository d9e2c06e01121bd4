package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"rpcbench/internal/results/stat"
)

const (
	memoryRuns        = 3
	memoryConnections = 64
	memoryInFlight    = 100
	memoryMB          = 150
	memoryGrowth      = 1.05
	fewCalls          = 1e6
	manyCalls         = 1e8
	openPerSec        = 1e5
)

// memoryBar reads the peak memory of workers after few and after many calls, made in the same time, because a worker keeps up to
// twenty histograms, one per second, whatever the number of calls. Each count has its own process, because a peak never falls. An
// open load keeps three more histograms per shard.
func memoryBar(ctx context.Context, r *rig) ([]line, error) {
	pairs, err := repeat(ctx, memoryRuns, func() (pair, error) { return r.memoryPair(ctx) })
	if err != nil {
		return nil, err
	}
	open, err := repeat(ctx, memoryRuns, func() (float64, error) {
		mb, _, err := r.peak(ctx, 0, demand{calls: fewCalls, perSec: openPerSec})
		return mb, err
	})
	if err != nil {
		return nil, err
	}
	many := summarize(pairs, func(p pair) float64 { return p.a })
	few := summarize(pairs, func(p pair) float64 { return p.b })
	growth := ratios(pairs)
	return []line{
		atMost("memory 10⁶ calls", few, memoryMB, "MB"),
		atMost("memory 10⁸ calls", many, memoryMB, "MB"),
		atMost("memory 10⁶ calls, open", stat.Summarize(open), memoryMB, "MB"),
		{
			name: "memory growth", measured: "10⁸ / 10⁶ calls " + figure(growth, 3, ""),
			limit: fmt.Sprintf("≤ %g", memoryGrowth), pass: growth.Median <= memoryGrowth,
		},
	}, nil
}

// memoryPair returns the peaks after many and after few calls, in MB. The few pause, so that they take as long.
func (r *rig) memoryPair(ctx context.Context) (p pair, err error) {
	var took time.Duration
	if p.a, took, err = r.peak(ctx, 0, demand{calls: manyCalls}); err != nil {
		return p, err
	}
	pause := took * memoryConnections * memoryInFlight / fewCalls
	p.b, _, err = r.peak(ctx, pause, demand{calls: fewCalls})
	return p, err
}

// peak returns the peak memory of a worker's slots after the demand's calls, in MB, and how long the calls took.
func (r *rig) peak(ctx context.Context, pause time.Duration, d demand) (mb float64, took time.Duration, err error) {
	at := noopPoint(memoryConnections, memoryInFlight)
	at.options = map[string]string{pauseNs.Name: strconv.FormatInt(pause.Nanoseconds(), 10)}
	p, err := startClient(ctx, r.noopWorker(), nil, at)
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()
	done, err := measure(ctx, p, d)
	if err != nil {
		return 0, 0, err
	}
	if done.GetArrivals() != d.calls {
		return 0, 0, fmt.Errorf("%d calls were made, not %d", done.GetArrivals(), d.calls)
	}
	snapshot, err := p.Mark(ctx)
	if err == nil && snapshot.GetPeakMemoryBytes() == 0 {
		err = errors.New("this system does not tell a process's peak memory")
	}
	return float64(snapshot.GetPeakMemoryBytes()) / 1e6, time.Duration(done.GetElapsedNs()), err
}

// noopWorker is the command of a worker of the no-op stack.
func (r *rig) noopWorker() []string { return []string{r.self, "child-worker"} }

// noopPoint returns the no-op stack's point, with an address that is never dialed.
func noopPoint(connections, inFlight int) point {
	return point{stack: noop{}.Info().Name, address: "nowhere:0", connections: connections, inFlight: inFlight}
}
