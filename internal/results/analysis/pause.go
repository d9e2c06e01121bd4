package analysis

import (
	"slices"

	"rpcbench/internal/results/result"
)

// A pause is worth a sentence where it is as long as this, and calls came at least ten times as often as that: then it is no
// chance, and no call was as slow by itself.
const (
	pauseLeastNs      = 500e6
	pauseCallsAtLeast = 100 // completed in a second, as a rule
)

// A Pause is a time in which no call was completed though some were in flight.
type Pause struct {
	Trial      *Trial
	SinceNs    int64 // since the measured phase began
	DurationNs int64 // to an interval
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
	if t.Stalled != nil || usualRate(t.Intervals) < pauseCallsAtLeast {
		return nil
	}
	intervals := after(1, t.Intervals)
	longest, now := Pause{Trial: t}, Pause{Trial: t, SinceNs: intervals[0].StartNs}
	for _, i := range intervals {
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

// usualRate is the median over intervals of the OK calls per second.
func usualRate(intervals []result.Interval) float64 {
	if len(intervals) == 0 {
		return 0
	}
	rates := make([]float64, len(intervals))
	for i, interval := range intervals {
		rates[i] = float64(interval.OK) / (float64(max(interval.EndNs-interval.StartNs, 1)) / 1e9)
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}
