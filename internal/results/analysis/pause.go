package analysis

import (
	"slices"

	"rpcbench/internal/results/result"
)

// A pause is worth a sentence where it is as long as this, and calls came at least ten times as often as that: then it is no
// chance, and no call was as slow by itself.
const (
	pauseLeastNs      = 500e6
	pauseCallsAtLeast = 10 // completed in an interval of 100 ms, as a rule
)

// A Pause is a time in which no call was completed though some were in flight.
type Pause struct {
	Trial      *Trial
	SinceNs    int64 // since the measured phase began
	DurationNs int64 // to the 100 ms of an interval
}

// Pause returns the longest of the trials' pauses; nil where there is none worth a sentence.
func (r *Row) Pause() *Pause {
	var longest *Pause
	for _, t := range r.Trials {
		if p := t.pause(); p != nil && (longest == nil || p.DurationNs > longest.DurationNs) {
			longest = p
		}
	}
	return longest
}

func (t *Trial) pause() *Pause {
	if t.Stalled != nil || usualOK(t.Intervals) < pauseCallsAtLeast {
		return nil
	}
	longest, now := Pause{Trial: t}, Pause{Trial: t}
	for _, i := range t.Intervals {
		if i.OK > 0 || i.InFlight == 0 {
			now = Pause{Trial: t, SinceNs: i.EndNs}
			continue
		}
		now.DurationNs = i.EndNs - now.SinceNs
		if now.DurationNs > longest.DurationNs {
			longest = now
		}
	}
	if longest.DurationNs < pauseLeastNs {
		return nil
	}
	return &longest
}

// usualOK is the median of the OK calls of an interval.
func usualOK(intervals []result.Interval) int64 {
	if len(intervals) == 0 {
		return 0
	}
	counts := make([]int64, len(intervals))
	for i, interval := range intervals {
		counts[i] = interval.OK
	}
	slices.Sort(counts)
	return counts[len(counts)/2]
}
