package analysis

import (
	"math"

	"rpcbench/internal/results/result"
)

// afterLeadIn returns the intervals from the first on in which a call could end: the phase's first calls begin with it, and while
// they take as long as calls usually do, that none has ended says nothing of the server. Where responses are not told, it
// returns all.
func afterLeadIn(intervals []result.Interval) []result.Interval {
	usual := usualResponse(intervals)
	for i, interval := range intervals {
		if interval.OK > 0 || interval.Errors > 0 || float64(interval.EndNs) > usual {
			return intervals[i:]
		}
	}
	return intervals
}

// afterFirstCalls returns the intervals that end after twice the usual response, if that leaves some. Of calls that began with
// the phase the fast ones end first, so a first interval shows them only.
func afterFirstCalls(intervals []result.Interval) []result.Interval {
	usual := usualResponse(intervals)
	for i, interval := range intervals {
		if float64(interval.EndNs) > 2*usual {
			return intervals[i:]
		}
	}
	return intervals
}

// usualResponse is the geometric mean of the responses of all intervals, in ns; 0 where there are none, or they are not told.
func usualResponse(intervals []result.Interval) float64 {
	var calls, logs float64
	for _, i := range intervals {
		if i.OK > 0 && i.ResponseMeanNs > 0 {
			calls, logs = calls+float64(i.OK), logs+float64(i.OK)*math.Log(float64(i.ResponseMeanNs))
		}
	}
	if calls == 0 {
		return 0
	}
	return math.Exp(logs / calls)
}

// startOf returns the part of a phase before the first of its last intervals.
func startOf(last, all []result.Interval) float64 {
	if len(last) == 0 {
		return 0
	}
	return float64(last[0].StartNs) / float64(all[len(all)-1].EndNs)
}
