package analysis

import (
	"math"

	"rpcbench/internal/results/result"
)

// after returns the intervals that end after so many times the usual response; all if that leaves none, or responses are not
// told. The first calls begin with the phase. Until they have taken as long as calls usually do, that none ends says nothing of
// the server; and the fast ones end first, so what is seen of the first responses is those.
func after(times float64, intervals []result.Interval) []result.Interval {
	until := times * UsualResponse(intervals)
	for i, interval := range intervals {
		if float64(interval.EndNs) > until {
			return intervals[i:]
		}
	}
	return intervals
}

// UsualResponse is the geometric mean of the responses of all intervals, in ns; 0 where there are none, or they are not told.
func UsualResponse(intervals []result.Interval) float64 {
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
