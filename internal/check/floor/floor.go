// Package floor measures the limits of a machine, whatever is measured on it: the cost and resolution of its clock, how
// late its timers are, how often it takes a processor away, and what loopback adds.
//
// It is not a benchmark of the machine but the lower bound of latencies. It measures in this process only, one thing after
// another, and judges only which differences of latency are certain.
package floor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/worker/host"
)

// A Floor is the result.
type Floor struct {
	ClockCost time.Duration // of one reading
	ClockStep time.Duration // least difference of two readings that differ, the cost included

	LateP50, LateP99 time.Duration // how much later than asked a sleep of 1 ms in the kernel ends

	HiccupsPerSec float64       // times that a busy thread stood still for over HiccupFrom
	HiccupMax     time.Duration // longest of them, or of shorter ones where there was none

	RoundTripP50, RoundTripP99 time.Duration // of 1 byte over TCP on loopback, from one goroutine to another and back
	SparseP50                  time.Duration // of such a round trip now and then, when processors have gone to sleep
	BytesPerSec                float64       // over TCP on loopback, one way
}

// HiccupFrom is the minimum length of a hiccup. Longer pauses are not caused by caches, interrupts or memory pages, but by
// another thread or another machine on the same processor.
const HiccupFrom = 100 * time.Microsecond

// Measure takes about five times as long as each says.
func Measure(ctx context.Context, each time.Duration) (Floor, error) {
	return machine{time.Now, host.Nap}.measure(ctx, each)
}

// A machine is what is measured: a clock and a sleep. Tests replace it.
type machine struct {
	now func() time.Time
	nap func(time.Duration)
}

func (m machine) measure(ctx context.Context, each time.Duration) (Floor, error) {
	var f Floor
	f.ClockCost, f.ClockStep = m.clock()
	f.LateP50, f.LateP99 = m.late(ctx, each)
	f.HiccupsPerSec, f.HiccupMax = m.hiccups(ctx, each)
	if err := m.loopback(ctx, each, &f); err != nil {
		return f, fmt.Errorf("measure loopback: %w", err)
	}
	return f, ctx.Err()
}

// Doubt returns the difference of two latencies below which the machine itself may be the cause: the largest of the resolution of
// its clock, the delay of its timers (by which calls of an open load are late), and the difference between the slowest round trip
// in a hundred and the usual one.
func (f Floor) Doubt() time.Duration {
	return max(f.ClockStep, f.LateP50, f.RoundTripP99-f.RoundTripP50)
}

// quantile sorts; 0 where there is none.
func quantile(values []time.Duration, q float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[int(q*float64(len(values)-1))]
}
