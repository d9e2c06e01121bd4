// Package truth computes how long callers of a server with known behavior must wait: by formula where queueing theory has
// one, and for one sequence of arrivals and service times by Lindley's recursion.
//
// Times are time.Duration, rates are per second, quantiles are 0–1. Everything is pure. It knows nothing of calls, workers or
// histograms, and measures nothing.
package truth

import (
	"math"
	"time"
)

// A Range is the interval in which a figure must lie. For a formula both ends are equal; it is wider if the true value is known
// only within bounds.
type Range struct{ Lo, Hi float64 }

// Exactly is the range of one value.
func Exactly(value float64) Range { return Range{value, value} }

// Off returns how far a value lies outside the range, relative to the nearer end: 0.05 is 5% too much, -0.05 too little. It is
// infinite if that end is 0.
func (r Range) Off(value float64) float64 {
	switch {
	case value > r.Hi:
		return (value - r.Hi) / r.Hi
	case value < r.Lo:
		return (value - r.Lo) / r.Lo
	default:
		return 0
	}
}

// MM1 is the response-time quantile of one server with exponential service times of a mean, in order of arrival, under
// Poisson arrivals: the response is exponential with the rate μ−λ (Kleinrock, Queueing Systems I, 1975, section 5.12).
// The load perSec·mean must be below 1.
func MM1(perSec float64, mean time.Duration, q float64) time.Duration {
	return seconds(-math.Log1p(-q) / (1/mean.Seconds() - perSec))
}

// Closed is the response-time quantile of one server with exponential service times, in order of arrival, for slots that each
// call again as soon as they are answered. A caller finds all others ahead of it, the first of them just starting, so a response
// is the sum of as many service times as there are slots: an Erlang distribution.
func Closed(slots int, mean time.Duration, q float64) time.Duration {
	below := func(x float64) float64 {
		term, sum := 1.0, 0.0
		for k := range slots {
			sum += term
			term *= x / float64(k+1)
		}
		return 1 - sum*math.Exp(-x)
	}
	return seconds(solve(below, q) * mean.Seconds())
}

// Pause is the response-time quantile of a server that pauses in every period and otherwise answers at once, under arrivals
// spread evenly over the period: a call in a pause waits for the rest of it.
func Pause(pause, period time.Duration, q float64) time.Duration {
	return max(pause-time.Duration((1-q)*float64(period)), 0)
}

// solve finds where a function that grows from 0 to 1 over [0, ∞) is q, by bisection.
func solve(below func(x float64) float64, q float64) float64 {
	lo, hi := 0.0, 1.0
	for below(hi) < q {
		lo, hi = hi, 2*hi
	}
	for range 100 {
		if middle := (lo + hi) / 2; below(middle) < q {
			lo = middle
		} else {
			hi = middle
		}
	}
	return hi
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
