package analysis

import "rpcbench/internal/results/result"

// A pause is worth a sentence where it is as long as this; longer than twice what calls usually take, as those that begin
// together end together; and where beside it calls came at least ten times as often as that. Then it is no chance, and no call
// was as slow by itself.
const (
	pauseLeastNs      = 500e6
	pauseTimesUsual   = 2
	pauseCallsAtLeast = 100 // OK in a second
)

// A Pause is a time of the window in which no call was completed though some were in flight.
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
	intervals := after(1, t.WhileDue())
	if t.Stalled != nil || len(intervals) == 0 {
		return nil
	}
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
	least := max(pauseLeastNs, pauseTimesUsual*UsualResponse(t.WhileDue()))
	if float64(longest.DurationNs) < least || rateBeside(longest.DurationNs, intervals) < pauseCallsAtLeast {
		return nil
	}
	return &longest
}

// rateBeside returns the OK calls per second of the rest of intervals of which calls paused for so long.
func rateBeside(pausedNs int64, intervals []result.Interval) float64 {
	var ok int64
	for _, interval := range intervals {
		ok += interval.OK
	}
	rest := intervals[len(intervals)-1].EndNs - intervals[0].StartNs - pausedNs
	return float64(ok) / (float64(max(rest, 1)) / 1e9)
}
