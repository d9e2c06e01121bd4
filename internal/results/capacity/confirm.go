package capacity

import (
	"math"
	"slices"
)

// Fractions of the rate that the search found, which long trials try one after another: downwards until one is confirmed, and
// upwards until one is confirmed to be too high. The steps grow, because what short trials could not see, such as a pause once in
// 5 s, may lower the capacity far below the rate found.
var (
	descent = []float64{1, 0.95, 0.90, 0.80, 0.60, 0.40}
	ascent  = []float64{1.05, 1.10, 1.20, 1.40, 1.70, 2}
)

// A Verdict is the result of the long trials at a rate.
type Verdict int

// Verdicts.
const (
	Wanting Verdict = iota // there are too few
	Carried                // all of them met the requirement
	TooHigh                // none of them did
	Mixed                  // they contradict each other, so that more would not make them agree
)

// Long holds the long trials at a rate.
type Long struct {
	PerSec      float64
	Met, Trials int
}

// LongTrials returns the confirming trials, by rate.
func LongTrials(so []Outcome) []Long {
	var all []Long
	for _, o := range so {
		if o.Phase != Confirm {
			continue
		}
		i, known := slices.BinarySearchFunc(all, o.PerSec, func(l Long, rate float64) int {
			switch {
			case l.PerSec < rate:
				return -1
			case l.PerSec > rate:
				return 1
			default:
				return 0
			}
		})
		if !known {
			all = slices.Insert(all, i, Long{PerSec: o.PerSec})
		}
		if all[i].Trials++; o.Met {
			all[i].Met++
		}
	}
	return all
}

// Verdict returns the result, if that many trials must agree.
func (l Long) Verdict(trials int) Verdict {
	switch {
	case l.Met > 0 && l.Met < l.Trials:
		return Mixed
	case l.Trials < trials:
		return Wanting
	case l.Met > 0:
		return Carried
	default:
		return TooHigh
	}
}

func longAt(so []Outcome, rate float64) Long {
	for _, l := range LongTrials(so) {
		if l.PerSec == rate {
			return l
		}
	}
	return Long{PerSec: rate}
}

// confirm follows the long trials: down to a rate that is carried, then up to one that is too high.
func (s Settings) confirm(so []Outcome, found Found) Found {
	searched, _ := bracket(so)
	for _, part := range descent {
		long := longAt(so, partOf(searched, part))
		switch {
		case long.Verdict(s.Trials) == Carried:
			return s.between(so, found)
		case long.Met == long.Trials:
			found.State, found.PerSec = Confirming, long.PerSec
			return found
		}
		found.Failed = long.PerSec
	}
	found.State, found.PerSec = Unconfirmed, 0
	return found
}

// between returns the interval that the long trials leave for the capacity: from the highest rate up to which all met the
// requirement, to the lowest above which none did.
func (s Settings) between(so []Outcome, found Found) Found {
	longs := LongTrials(so)
	for _, l := range longs {
		if l.Verdict(s.Trials) != Carried {
			break
		}
		found.PerSec = l.PerSec
	}
	for _, l := range slices.Backward(longs) {
		if l.Met > 0 {
			break
		}
		if l.Verdict(s.Trials) == TooHigh {
			found.Failed, found.Bound = l.PerSec, true
		}
	}
	if found.Failed <= found.PerSec { // in the search, which long trials refute
		found.Failed = failedAbove(so, found.PerSec)
	}
	found.State = Confirmed
	if _, more := s.above(so); more && !found.Bound {
		found.State = Bounding
	}
	return found
}

// above is the next rate to be confirmed as too high; false says that none is left.
func (s Settings) above(so []Outcome) (rate float64, more bool) {
	searched, failed := bracket(so)
	if failed == 0 {
		return 0, false // the highest is the most that may be
	}
	carried := 0.0
	for _, l := range LongTrials(so) {
		if l.Met > 0 {
			carried = l.PerSec // or was once
		}
	}
	for _, rate := range candidates(searched, failed) {
		long := longAt(so, rate)
		if rate > carried && rate <= s.Most && long.Verdict(s.Trials) == Wanting {
			return rate, true
		}
	}
	return 0, false
}

// candidates are the rates that long trials may be made at, in their order.
func candidates(searched, failed float64) []float64 {
	rates := []float64{failed}
	for _, part := range descent {
		rates = append(rates, partOf(searched, part))
	}
	for _, part := range ascent {
		if rate := partOf(searched, part); rate > failed {
			rates = append(rates, rate)
		}
	}
	slices.Sort(rates)
	return rates
}

func partOf(rate, part float64) float64 {
	if part == 1 {
		return rate
	}
	return Round(rate * part)
}

// Confidence is how sure the interval from a rate that is carried to one that is too high holds the capacity: the rate at
// which a long trial meets the requirement every second time. All n trials above it meet it with a probability of at most 2⁻ⁿ,
// and all n below it fail with the same: the sign test. (W. J. Conover, Practical Nonparametric Statistics, 3rd edition, section
// 3.4.) That several rates are looked at it does not count; TestTheIntervalHoldsTheCapacity says how little they cost.
func Confidence(trials int) float64 { return 1 - 2*math.Pow(2, -float64(trials)) }
