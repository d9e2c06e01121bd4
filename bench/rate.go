package main

import (
	"context"
	"fmt"
	"math"

	"rpcbench/internal/results/stat"
)

const (
	rateRuns     = 7
	ratePerSec   = 50_000
	rateInFlight = 100
	rateOff      = 0.1 // percent
)

// rateBar runs a fast open load on the no-op stack. Every call that is due is made in the end; the rate is kept when
// the last one is not late.
func rateBar(ctx context.Context, r *rig) ([]line, error) {
	runs, err := repeat(ctx, rateRuns, func() (punctuality, error) {
		return r.punctual(ctx, r.noopWorker(), noopPoint(1, rateInFlight), demand{duration: r.duration, perSec: ratePerSec}, warmup)
	})
	if err != nil {
		return nil, err
	}
	lines := []line{rateLine(summarize(runs, func(p punctuality) float64 { return p.perSec }))}
	for i, name := range []string{"p50", "p99", "p999"} {
		wake := summarize(runs, func(p punctuality) float64 { return p.wake[i] / microsecond })
		lines = append(lines, line{name: "rate wake " + name, measured: figure(wake, 1, "µs")})
	}
	pacer := summarize(runs, func(p punctuality) float64 { return p.pacer })
	return append(lines, line{name: "rate pacer", measured: figure(pacer, 1, "% of a core")}), nil
}

// rateLine holds each end of the interval to the bar, not the median alone: a rate that is kept now and then is not kept.
func rateLine(perSec stat.Summary) line {
	off := max(math.Abs(perSec.Lo/ratePerSec-1), math.Abs(perSec.Hi/ratePerSec-1))
	return line{
		name: "rate", measured: figure(perSec, 1, "calls/s"),
		limit: fmt.Sprintf("%d ± %g%%", ratePerSec, rateOff), pass: 100*off <= rateOff,
	}
}
