package load

import (
	"math"
	"time"
)

// A span is how long the calls of a schedule are due. A phase has it before it begins, as calls that are due while it is computed
// would be late.
type span struct {
	window time.Duration // the duration, or of an open load with a number of calls until one more would be due
	end    time.Duration // the duration, or when the part's last call is due
}

// undecided is the window of a schedule that a stop ends, or its slots. Its end is far away.
const undecided = math.MaxInt64

// readAtOnce is how many arrivals are read between two looks for a stop: about 0.1 ms.
const readAtOnce = 1 << 12

// span returns the schedule's span. It takes time in proportion to the number of calls only if they are random. It is incomplete
// if stopped returns true meanwhile.
func (s Schedule) span(stopped func() bool) span {
	switch {
	case s.Limit.Duration > 0:
		return span{window: s.Limit.Duration, end: s.Limit.Duration}
	case !s.Open() || s.Limit.Calls == 0:
		return span{window: undecided, end: forever}
	case s.Poisson:
		return s.read(stopped)
	default:
		return s.computed()
	}
}

// computed returns the span of a number of calls whose due times follow from their numbers.
func (s Schedule) computed() span {
	last := s.lastDue(s.Limit.Calls)
	return span{window: s.at(last), end: s.at(s.Part.last(min(s.Limit.Calls, last+1)))}
}

// lastDue returns the number of the last arrival, up to n, that is ever due: the rate may end at 0 before. It is negative if none
// is.
func (s Schedule) lastDue(n int64) int64 {
	if newArrivals(s).regular(n) <= latest {
		return n
	}
	from, to := int64(0), n // the first that is not due is one of these
	for from < to {
		middle := from + (to-from)/2
		if newArrivals(s).regular(middle) <= latest {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from - 1
}

// at returns when the arrival with that number is due; 0 for the one before the first.
func (s Schedule) at(number int64) time.Duration {
	if number < 0 {
		return 0
	}
	return time.Duration(newArrivals(s).regular(number))
}

// read returns the span of a number of calls from their arrivals, one after another.
func (s Schedule) read(stopped func() bool) span {
	own, calls := s.Part, s.Limit.Calls
	s.Part = Part{}
	s.Limit.Calls++
	a := newArrivals(s)
	var sp span
	for due, ok := a.next(); ok; due, ok = a.next() {
		sp.window = due
		if i := a.index - 1; i < calls && own.has(i) {
			sp.end = due
		}
		if a.index%readAtOnce == 0 && stopped() {
			break
		}
	}
	return sp
}
