package selftest

import (
	"time"

	"rpcbench/internal/stack"
)

// An Effort is the amount of measuring.
type Effort struct {
	Calls   int64         // of a queue's check
	Service time.Duration // of the servers of queues: a call without any takes well under 5% of it
	Window  time.Duration // of the checks that are no queue's, a multiple of 500 ms

	Freeze       time.Duration // how long a server stands still once
	FreezeWindow time.Duration // of the checks of it
	FreezeKinds  []string
	InFlight     []int // in the checks of a freeze

	FastCalls int64 // of a check with service times of microseconds

	Floor time.Duration // for each of its parts
}

// Quick takes some 7 s a stack.
func Quick() Effort {
	return Effort{
		Calls: 80, Service: 10 * time.Millisecond, Window: 500 * time.Millisecond,
		Freeze: 400 * time.Millisecond, FreezeWindow: time.Second,
		FreezeKinds: []string{stack.KindUnary}, InFlight: []int{10},
		FastCalls: 1000, Floor: 200 * time.Millisecond,
	}
}

// Usual takes some 40 s a stack.
func Usual() Effort {
	return Effort{
		Calls: 500, Service: 10 * time.Millisecond, Window: 2 * time.Second,
		Freeze: time.Second, FreezeWindow: 2500 * time.Millisecond,
		FreezeKinds: []string{stack.KindUnary, stack.KindPingPong}, InFlight: []int{1, 10, 1000},
		FastCalls: 5000, Floor: time.Second,
	}
}

// Full takes some eleven minutes a stack.
func Full() Effort {
	return Effort{
		Calls: 20_000, Service: 10 * time.Millisecond, Window: 6 * time.Second,
		Freeze: time.Second, FreezeWindow: 6 * time.Second,
		FreezeKinds: []string{stack.KindUnary, stack.KindPingPong}, InFlight: []int{1, 10, 1000},
		FastCalls: 20_000, Floor: 3 * time.Second,
	}
}

// maxClosed bounds the calls of a closed load, whose responses vary little.
const maxClosed = 200

func (e Effort) closedCalls() int64 { return min(e.Calls, maxClosed) }

// tailCalls is the number of calls behind a p99; five of them lie beyond it.
const tailCalls = 500

// tail is the quantile that is read beside the median: the p99, or the p90 where a p99 would be the word of a call or two.
func tail(calls int64) float64 {
	if calls < tailCalls {
		return .9
	}
	return .99
}
