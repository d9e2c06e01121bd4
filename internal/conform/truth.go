package conform

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/record"
)

// freezeError is how far what was recorded of a freeze may lie from the truth.
const freezeError = 0.02

// A Freeze is a server that stood still while calls came due at a constant rate, and after it began.
//
// Of a freeze of length S under R calls a second, the k-th call due in it, k = 0, 1, …, waits S − (k+δ)/R, 0 ≤ δ < 1, and
// then for its turn in the backlog. Where each of the backlog takes b, its response is S − (k+δ)/R + (k+1)·b. Hence
// (S−L+b) / (1/R−b) calls, give or take one, take longer than L. On one slot b is the mean service time of calls that were
// not stopped; with more it lies between 0 and that, as far as the processors go.
type Freeze struct {
	Least, Most time.Duration // how long it was at the least and at the most: more is not known from outside
	PerSec      float64       // calls due
	Felt        time.Duration // a call that takes longer has felt it
}

// Judge compares the histograms of all calls with what must have been, and says in few words what they have: how many
// calls felt the freeze, and the response p99. Nothing is known of a phase in which fewer than 1% of calls felt it.
func (f Freeze) Judge(response, service *hdrhistogram.Histogram) (string, error) {
	calls := response.TotalCount()
	least := truth{f, f.Least, 0, float64(calls)}
	most := truth{f, f.Most, record.MeanUpTo(service, f.Felt), float64(calls)}
	slow := record.CountAbove(response, f.Felt)
	fewest, largest := least.slow()*(1-freezeError)-1, most.slow()*(1+freezeError)+1
	if float64(slow) < fewest || float64(slow) > largest {
		return "", fmt.Errorf("%d calls took over %v, want %.0f to %.0f for a stop of %v",
			slow, f.Felt, math.Ceil(fewest), math.Floor(largest), f.Least.Round(time.Millisecond))
	}
	beyond := float64(calls - int64(0.99*float64(calls)+0.5)) // so many samples are longer than the p99
	p99 := time.Duration(record.Quantile(response, 0.99))
	low := time.Duration(float64(least.response(beyond, 1)) * (1 - freezeError))
	high := time.Duration(float64(most.response(beyond, 0)) * (1 + freezeError))
	if p99 < low || p99 > high {
		return "", fmt.Errorf("the p99 is %v, want %v to %v for a stop of %v", p99, low, high, f.Least)
	}
	return fmt.Sprintf("%d calls over %v of %.0f to %.0f, p99 %v, stopped for %v", slow, f.Felt, least.slow(), most.slow(),
		p99.Round(time.Millisecond), f.Least.Round(time.Millisecond)), nil
}

// A truth is what a freeze of a certain length does to calls, where each of the backlog takes a time.
type truth struct {
	Freeze

	stop, each time.Duration
	calls      float64 // due in all, and so the most that it can hold up
}

// growing tells whether the backlog never ends: its calls take no less time than lies between two that come due.
func (t truth) growing() bool { return t.each.Seconds() >= 1/t.PerSec }

// slow returns how many calls take longer than Felt.
func (t truth) slow() float64 {
	if t.growing() {
		return t.calls
	}
	return min(t.calls, (t.stop-t.Felt+t.each).Seconds()/(1/t.PerSec-t.each.Seconds()))
}

// response returns the response time of the k-th call that was due in the freeze, which came delta of a gap after its
// begin, and so of the k-th longest: where the backlog grows, no call is known to take less than the last.
func (t truth) response(k, delta float64) time.Duration {
	if t.growing() {
		k = t.calls
	}
	wait := t.stop.Seconds() - (k+delta)/t.PerSec + (k+1)*t.each.Seconds()
	return time.Duration(wait * float64(time.Second))
}
