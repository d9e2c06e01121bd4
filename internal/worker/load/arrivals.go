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

// last returns the part's last number below n; it is negative if there is none.
func (p Part) last(n int64) int64 { return p.Index + (p.Share(n)-1)*max(p.Of, 1) }

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

// latest is when the last arrival of any schedule may be due, in ns.
const latest = math.MaxInt64 / 2

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
	if a.schedule.Poisson {
		a.at = a.random()
	} else {
		a.at = a.regular(a.index)
	}
	a.index++
	if limit := a.schedule.Limit.Duration; limit > 0 && a.at >= float64(limit) {
		return 0, false
	}
	if a.at > latest {
		return 0, false
	}
	return time.Duration(a.at), true
}

// regular returns when arrival i is due if gaps are not random: with stages, when i arrivals are expected. Numbers must not
// decrease.
func (a *arrivals) regular(i int64) float64 {
	if len(a.schedule.Stages) > 0 {
		return a.curve.reach(float64(i))
	}
	return float64(i) * float64(time.Second) / a.schedule.PerSec // so that whole seconds are exact
}

// random returns when the next arrival is due if gaps are exponential: with stages, when as many arrivals are expected as the
// time of a process with rate 1 (Çinlar 1975, inversion of the expected count).
func (a *arrivals) random() float64 {
	gap := a.gaps.next()
	if len(a.schedule.Stages) > 0 {
		a.total += gap
		return a.curve.reach(a.total)
	}
	return a.at + gap*float64(time.Second)/a.schedule.PerSec
}
