package analysis

import (
	"fmt"
	"math"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// Each point of a series has 20 calls on average: with fewer, what is random in a count drowns what changes. Where that
// leaves fewer than 40 points, 5 calls will do: a slow load that is regular shows changes all the same.
const (
	pointCalls      = 20
	pointCallsLeast = 5
	pointsWanted    = 40
)

// notStationary looks for a step or a trend in the measured phase: in the calls completed in each interval of a closed load,
// and in the geometric mean of the responses of each interval of an open one, whose rate is given. Where the load itself
// changes there is nothing to look for. It says so where a change could not have been seen.
func notStationary(m *measurement, t *Trial) []Finding {
	if t.Spec.Schedule != nil {
		return nil
	}
	series, unit := seriesOf(m.spec, t.Intervals)
	change := stat.Stationary(series)
	switch change.Kind {
	case stat.Step:
		return []Finding{found(CodeStep, "%s changed by %+.0f%% of its median after %s of the measured phase "+
			"(%.1f times the 1%% bound)", unit, 100*max(change.Change, -1),
			number.Percent(float64(change.At)/float64(len(series)), 0), change.Clarity)}
	case stat.Trend:
		return []Finding{found(CodeTrend, "%s drifted by %+.0f%% of its median over the measured phase "+
			"(%.1f times the 1%% bound)", unit, 100*change.Change, change.Clarity)}
	case stat.Unknown:
		if len(t.Intervals) == 0 {
			return []Finding{found(CodeNotTold, "the client does not report how its calls were spread over the measured phase, so "+
				"nothing shows whether the speed was steady")}
		}
		return []Finding{found(CodeNotJudged, "%s", whyUnknown(t, series, unit, change))}
	default:
		return nil
	}
}

// seriesOf is what should be steady in a measured phase, and what it is called.
func seriesOf(spec plan.Spec, intervals []result.Interval) (series []float64, unit string) {
	if spec.Closed() {
		return rates(intervals), "calls per second"
	}
	return responses(intervals), "response"
}

// Warming reports whether calls became faster in a measured phase, by a step or a trend: the warm-up was over too early.
func Warming(spec plan.Spec, clients []result.Client) bool {
	together, err := Together(clients)
	if err != nil || spec.Schedule != nil {
		return false
	}
	series, _ := seriesOf(spec, together.Intervals)
	change := stat.Stationary(series)
	isFaster := change.Change > 0
	if !spec.Closed() {
		isFaster = change.Change < 0
	}
	return isFaster && (change.Kind == stat.Step || change.Kind == stat.Trend)
}

// whyUnknown says why a step could not have been seen.
func whyUnknown(t *Trial, series []float64, unit string, change stat.Finding) string {
	switch {
	case len(series) < stat.StationaryIntervals:
		return fmt.Sprintf("%s in %s are too few to show whether the speed was steady: it takes %d points in time with "+
			"%d calls each, and there are %d", number.Count(t.OK, "call"), number.Duration(float64(windowNs(&t.Record))),
			stat.StationaryIntervals, pointCallsLeast, len(series))
	case math.IsInf(change.Tells, 1):
		return "most of the measured phase had no calls"
	default:
		return fmt.Sprintf("%s varied so much that no step under %s could be seen", unit, number.Percent(change.Tells, 0))
	}
}

// pauseShare is the part of a phase that a time without a completed call takes at the least to count against it.
const pauseShare = 0.05

// paused finds a phase of which a notable part had no calls.
func paused(_ *measurement, t *Trial) []Finding {
	p := t.pause()
	lasted := windowNs(&t.Record)
	if p == nil || t.Spec.Schedule != nil || float64(p.DurationNs) < pauseShare*float64(lasted) {
		return nil
	}
	return []Finding{found(CodePause, "no call was completed for %s of %s, though some were in flight",
		number.Duration(float64(p.DurationNs)), number.Duration(float64(lasted)))}
}

// pointsOf joins neighbouring intervals until each point has enough calls on average. What is left over at the end, and the last
// interval of a phase, which is cut short, are left out.
func pointsOf(intervals []result.Interval) [][]result.Interval {
	if len(intervals) < 2 {
		return nil
	}
	intervals = intervals[:len(intervals)-1]
	calls := completed(intervals)
	if calls == 0 {
		return nil
	}
	perPoint := func(n int) int { return max(1, (n*len(intervals)+int(calls)-1)/int(calls)) } // intervals with n calls
	together := min(perPoint(pointCalls), max(perPoint(pointCallsLeast), len(intervals)/pointsWanted))
	whole := len(intervals) / together * together
	return slices.Collect(slices.Chunk(intervals[:whole], together))
}

func completed(intervals []result.Interval) int64 {
	var calls int64
	for _, interval := range intervals {
		calls += interval.OK + interval.Errors
	}
	return calls
}

// rates returns calls per second at each point.
func rates(intervals []result.Interval) []float64 {
	var series []float64
	for _, point := range pointsOf(intervals) {
		lasted := point[len(point)-1].EndNs - point[0].StartNs
		series = append(series, float64(completed(point))/(float64(max(lasted, 1))/1e9))
	}
	return series
}

// responses returns the geometric mean of the responses at each point that has some. Of a worker that does not tell, it is the
// median of each second.
func responses(intervals []result.Interval) []float64 {
	silent := func(i result.Interval) bool { return i.OK > 0 && i.ResponseMeanNs <= 0 }
	if slices.ContainsFunc(intervals, silent) {
		return medians(intervals)
	}
	var series []float64
	for _, point := range pointsOf(intervals) {
		var calls, logs float64
		for _, i := range point {
			if i.OK > 0 {
				calls, logs = calls+float64(i.OK), logs+float64(i.OK)*math.Log(float64(i.ResponseMeanNs))
			}
		}
		if calls > 0 {
			series = append(series, math.Exp(logs/calls))
		}
	}
	return series
}

// medians returns the median response of each second.
func medians(intervals []result.Interval) []float64 {
	var series []float64
	for _, interval := range intervals {
		if interval.Response != nil && interval.Response.Calls >= pointCalls {
			series = append(series, float64(interval.Response.P50Ns))
		}
	}
	return series
}
