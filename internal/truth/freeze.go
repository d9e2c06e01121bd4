package truth

import (
	"math"
	"time"
)

// A Freeze is a server that stands still once, under calls that come due at a constant rate.
//
// Of a freeze of length S under R calls a second, the k-th call due in it, k = 0, 1, …, waits S − (k+δ)/R, 0 ≤ δ < 1, and
// then for its turn in the backlog. Where each of the backlog takes b, its response is S − (k+δ)/R + (k+1)·b. Hence
// (S−L+b) / (1/R−b) calls, give or take one, take longer than L.
type Freeze struct {
	Length time.Duration
	PerSec float64
	// Each is how long a call of the backlog may take at the most. With one slot it is the service time; with more it lies
	// between 0 and that. It is far below 1/PerSec, or the backlog would never end.
	Each time.Duration
}

// Above returns how many calls take longer than felt.
func (f Freeze) Above(felt time.Duration) Range {
	count := func(each time.Duration) float64 {
		return (f.Length - felt + each).Seconds() / (1/f.PerSec - each.Seconds())
	}
	return Range{math.Floor(count(0)), math.Ceil(count(f.Each))}
}

// Response returns the response-time quantile of calls in all, of which more than the part 1−q felt the freeze, in ns.
func (f Freeze) Response(q float64, calls int64) Range {
	k := float64(calls) - math.Ceil(q*float64(calls)) // so many calls take longer
	response := func(delta float64, each time.Duration) float64 {
		return float64(f.Length) - (k+delta)/f.PerSec*1e9 + (k+1)*float64(each)
	}
	return Range{response(1, 0), response(0, f.Each)}
}
