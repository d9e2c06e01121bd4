package load

import (
	"math"
	"time"
)

// A Schedule says when calls are due. The zero rate is a closed load: calls are due when a slot is free.
type Schedule struct {
	PerSec  float64 // mean arrivals per second of the whole worker; 0 is closed
	Poisson bool    // exponential gaps instead of constant ones
	Seed    uint64  // of the exponential gaps
	// Stages change the load over time: the rate of an open load, or the number of slots of a closed one that make calls,
	// rounded. PerSec is then the mean rate over the schedule, and only marks the load as open. After the last stage its final
	// value continues. A closed load with stages ends after a duration, or by Stop.
	Stages []Stage
	Limit  Limit
	Part   Part
}

// A Part is one of several that make a schedule together, the number Index of Of. The zero Part is all of it. Of an open
// load the arrivals are dealt one by one, of a closed one the calls of its limit, and the slots that stages let make calls.
type Part struct{ Index, Of int64 }

// Share returns the part's share of n if they are dealt out one by one.
func (p Part) Share(n int64) int64 {
	if p.Of <= 1 {
		return n
	}
	return (n + p.Of - 1 - p.Index) / p.Of
}

// has reports whether number i is the part's.
func (p Part) has(i int64) bool { return p.Of <= 1 || i%p.Of == p.Index }

// A Stage is a load that goes in a line from one value to another. A step is a stage whose values are equal.
type Stage struct {
	From, To float64 // arrivals per second, or slots that make calls, of the whole worker
	Length   time.Duration
}

// A Limit ends a schedule: after a duration (arrivals are due in [0, Duration)) or a number of calls. Zero is no limit;
// with neither the schedule ends by Stop only.
type Limit struct {
	Duration time.Duration
	Calls    int64
}

// Open reports whether arrivals have their own due times.
func (s Schedule) Open() bool { return s.PerSec > 0 }

// arrivals is the pure sequence of a schedule's due times, as specified in worker.v1: equal schedules give equal sequences in
// every language.
type arrivals struct {
	schedule Schedule
	gaps     exponential
	index    int64
	at       float64 // ns; a float, so that rounding does not add up over a long run
	curve    curve   // of the stages
	total    float64 // of a process with the rate 1
}

func newArrivals(s Schedule) *arrivals {
	return &arrivals{schedule: s, gaps: exponential(s.Seed), curve: curve{stages: s.Stages}}
}

// next returns the part's following due time, and false after the last.
func (a *arrivals) next() (due time.Duration, ok bool) {
	for {
		i := a.index
		if due, ok = a.following(); !ok || a.schedule.Part.has(i) {
			return due, ok
		}
	}
}

// number is that of the arrival which next returned last, from 0, over all parts.
func (a *arrivals) number() uint64 { return uint64(a.index - 1) }

// following returns the following due time of all parts.
func (a *arrivals) following() (due time.Duration, ok bool) {
	if limit := a.schedule.Limit.Calls; limit > 0 && a.index >= limit {
		return 0, false
	}
	switch {
	case len(a.schedule.Stages) > 0:
		a.at = a.staged()
	case a.schedule.Poisson:
		a.at += a.gaps.next() * float64(time.Second) / a.schedule.PerSec
	default:
		a.at = float64(a.index) * float64(time.Second) / a.schedule.PerSec // so that whole seconds are exact
	}
	a.index++
	if limit := a.schedule.Limit.Duration; limit > 0 && a.at >= float64(limit) {
		return 0, false
	}
	if a.at > math.MaxInt64/2 {
		return 0, false
	}
	return time.Duration(a.at), true
}

// staged returns when the next arrival of a staged load is due: when the expected count equals the number of arrivals before it
// or, for exponential gaps, the time of a process with rate 1 (Çinlar 1975, inversion of the expected count).
func (a *arrivals) staged() float64 {
	if !a.schedule.Poisson {
		return a.curve.reach(float64(a.index))
	}
	a.total += a.gaps.next()
	return a.curve.reach(a.total)
}

// end returns when the window of an open schedule closes: its duration, or the last of its calls. Without a limit it
// is far away.
func (s Schedule) end() time.Duration {
	switch {
	case s.Limit.Duration > 0:
		return s.Limit.Duration
	case s.Limit.Calls > 0:
		return newArrivals(s).last()
	default:
		return math.MaxInt64 / 2
	}
}

// window returns how long arrivals are due: the duration, or of an open schedule with a number of calls until one more
// would be. False says that the slots decide.
func (s Schedule) window() (window time.Duration, ok bool) {
	switch {
	case s.Limit.Duration > 0:
		return s.Limit.Duration, true
	case s.Open() && s.Limit.Calls > 0:
		s.Part = Part{}
		s.Limit.Calls++
		return newArrivals(s).last(), true
	default:
		return 0, false
	}
}

func (a *arrivals) last() time.Duration {
	var last time.Duration
	for due, ok := a.next(); ok; due, ok = a.next() {
		last = due
	}
	return last
}
