package truth

import (
	"math"
	"time"
)

// A Freeze is a server that stands still once, under calls that come due at a constant rate, before and after too.
//
// Of a freeze of length S under R calls a second, the k-th call due in it, k = 0, 1, …, waits S − (k+δ)/R, 0 ≤ δ < 1, and
// then for its turn in the backlog. Where each of the backlog takes b, its response is S − (k+δ)/R + (k+1)·b. Hence
// (S−L+b) / (1/R−b) calls, give or take one, take longer than L. A backlog whose calls take as long as lies between two
// that come due never ends, and every call may feel it.
type Freeze struct {
	Least, Most time.Duration // its length, as far as it is known
	PerSec      float64
	// Each is the maximum service time of a call in the backlog. With one slot it is the service time of unaffected calls; with
	// more it lies between 0 and that, depending on the processors.
	Each  time.Duration
	Calls int64 // due in all, and so the most that it can hold up
}

// Above returns how many calls take longer than felt.
func (f Freeze) Above(felt time.Duration) Range {
	above := func(length, each time.Duration) float64 {
		if f.growing(each) {
			return float64(f.Calls)
		}
		return min(float64(f.Calls), (length-felt+each).Seconds()/(1/f.PerSec-each.Seconds()))
	}
	return Range{math.Floor(above(f.Least, 0)), math.Ceil(above(f.Most, f.Each))}
}

// Response returns the response-time quantile of all calls, of which more than the part 1−q felt the freeze, in ns.
func (f Freeze) Response(q float64) Range {
	response := func(length time.Duration, delta float64, each time.Duration) float64 {
		k := float64(f.Calls) - math.Ceil(q*float64(f.Calls)) // so many calls take longer
		if f.growing(each) {
			k = float64(f.Calls) // none is known to take less than the last
		}
		return float64(length) - (k+delta)/f.PerSec*1e9 + (k+1)*float64(each)
	}
	return Range{response(f.Least, 1, 0), response(f.Most, 0, f.Each)}
}

func (f Freeze) growing(each time.Duration) bool { return each.Seconds() >= 1/f.PerSec }
