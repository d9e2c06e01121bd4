// Package capacity says what a search for the highest rate that meets a requirement found, and what it is to measure next, by its
// trials alone: those of a results file, or those so far. Package run/campaign/course measures them.
//
// It is a function from the outcomes so far to the next step, and measures nothing itself. A first guess is bracketed by
// leaps, and the bracket is halved until its ends are close. Longer trials then confirm a rate that meets the requirement
// and one that does not, and latency is measured at fractions of the first, up to and beyond it. Outcomes are noisy, so a
// short trial decides nothing by itself: each end of the bracket is tried once more before the search ends. A rate is
// confirmed, either way, when several long trials agree. Both ways are treated alike, because favoring one of them would
// move the capacity.
//
// Settings know neither what a requirement is nor how a trial is made; a Course turns steps into trials, and judges them.
// Of follows a course by the trials of a file. The package is pure.
package capacity

import "math"

// A Phase is the purpose of a step.
type Phase string

// The phases, in their order.
const (
	Search  Phase = "search"  // short trials
	Confirm Phase = "confirm" // long ones, several at a rate
	Load    Phase = "load"    // one at each of Shares
	Over    Phase = "over"    // there is nothing left to measure
)

// A Step is one trial that is to be made.
type Step struct {
	Phase  Phase
	PerSec float64
	Share  float64 // of the capacity, in the phase Load
}

// An Outcome is the result of a step.
type Outcome struct {
	Step
	Met bool // the requirement
}

// Settings configure a search. All rates are in calls per second and above 0.
type Settings struct {
	Guess       float64 // the first rate, which may be wrong by any factor
	Least, Most float64 // no rate beyond them is tried
	Precision   float64 // how near to each other the ends of the bracket must get: 0.05 is 5%
	Trials      int     // that must agree to confirm a rate, or that it is too high; at least 1
}

const (
	leapUp   = 1.5 // while every rate meets the requirement
	leapDown = 4   // while none does
	// maxSearch bounds the search. Leaps over six decades and the halving of the last take 40 steps together.
	maxSearch = 60
)

// Shares are the parts of a confirmed rate at which latency is measured, those first that are asked for most, in case
// that time does not suffice for all.
var Shares = []float64{0.8, 0.5, 0.2, 1, 1.1, 0.9, 1.3}

// A State is the progress of a search.
type State string

// States.
const (
	Searching   State = "searching"
	Unmet       State = "unmet"       // no rate meets the requirement, the least one neither
	Confirming  State = "confirming"  // Found.PerSec is what the search found
	Unconfirmed State = "unconfirmed" // the search found one, and longer trials did not bear it out, however far below
	Bounding    State = "bounding"    // Found.PerSec is carried, and a rate that is not is to be confirmed
	Confirmed   State = "confirmed"   // the capacity is between Found.PerSec and Found.Failed
)

// Found is the result of the outcomes.
type Found struct {
	State  State
	PerSec float64 // the highest rate that met the requirement, confirmed or not; 0 while there is none
	Failed float64 // the lowest rate above it that did not; 0 while there is none
	Bound  bool    // Failed is confirmed too
}

// Next returns the step that follows the outcomes so far.
func (s Settings) Next(so []Outcome) Step {
	switch found := s.Find(so); found.State {
	case Searching:
		rate, _ := s.search(so)
		return Step{Phase: Search, PerSec: rate}
	case Confirming:
		return Step{Phase: Confirm, PerSec: found.PerSec}
	case Bounding:
		rate, _ := s.above(so)
		return Step{Phase: Confirm, PerSec: rate}
	case Confirmed:
		if n := count(so, Load); n < len(Shares) {
			return Step{Phase: Load, PerSec: Round(found.PerSec * Shares[n]), Share: Shares[n]}
		}
	case Unmet, Unconfirmed:
	}
	return Step{Phase: Over}
}

// Find returns the result of the outcomes so far.
func (s Settings) Find(so []Outcome) Found {
	low, high := bracket(so)
	found := Found{State: Searching, PerSec: low, Failed: high}
	if _, more := s.search(so); more {
		return found
	}
	if low == 0 {
		found.State = Unmet
		return found
	}
	return s.confirm(so, found)
}

// search returns the next rate of the search; false says that the search is over.
func (s Settings) search(so []Outcome) (rate float64, more bool) {
	low, high := bracket(so)
	switch n := count(so, Search); {
	case n == 0:
		return s.within(Round(s.Guess)), true
	case n >= maxSearch:
		return 0, false
	case low == 0:
		return s.within(Round(high / leapDown)), high > s.Least
	case high == 0:
		return s.within(Round(low * leapUp)), low < s.Most
	case high > low*(1+s.Precision):
		return middle(low, high), true
	case tried(so, high) < 2:
		return high, true
	default:
		return low, tried(so, low) < 2
	}
}

// bracket returns the highest rate whose last short trial met the requirement, and the lowest above it whose last did not;
// 0 where there is none.
func bracket(so []Outcome) (low, high float64) {
	for rate, met := range lastShort(so) {
		if met {
			low = max(low, rate)
		}
	}
	return low, failedAbove(so, low)
}

// failedAbove returns the lowest rate above another that the search did not find met; 0 if there is none.
func failedAbove(so []Outcome, low float64) (high float64) {
	for rate, met := range lastShort(so) {
		if !met && rate > low && (high == 0 || rate < high) {
			high = rate
		}
	}
	return high
}

// lastShort returns by rate whether the last trial of the search met the requirement.
func lastShort(so []Outcome) map[float64]bool {
	last := map[float64]bool{}
	for _, o := range so {
		if o.Phase == Search {
			last[o.PerSec] = o.Met
		}
	}
	return last
}

// tried counts the short trials of a rate.
func tried(so []Outcome, perSec float64) int {
	n := 0
	for _, o := range so {
		if o.Phase == Search && o.PerSec == perSec {
			n++
		}
	}
	return n
}

func count(so []Outcome, phase Phase) int {
	n := 0
	for _, o := range so {
		if o.Phase == phase {
			n++
		}
	}
	return n
}

func (s Settings) within(rate float64) float64 { return min(max(rate, s.Least), s.Most) }

// middle returns the geometric mean of two rates, or a round number between them if there is one.
func middle(low, high float64) float64 {
	exact := math.Sqrt(low * high)
	if even := Round(exact); even > low && even < high {
		return even
	}
	return exact
}

// Round keeps three digits, which is much finer than trials can distinguish.
func Round(rate float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(rate))-2)
	if unit < 1 {
		return math.Round(rate/unit) / math.Round(1/unit) // so that 12.3 is not 12.299999999999999
	}
	return math.Round(rate/unit) * unit
}
