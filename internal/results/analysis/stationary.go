package analysis

import (
	"fmt"
	"math"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// Each point of a series has 20 calls on average: with fewer, the randomness of counts hides changes. If that leaves fewer than
// 40 points, 5 calls suffice: a slow load that is regular still shows changes. A response is not a count: one per point suffices,
// and points without any are left out.
const (
	pointCalls   = 20
	pointCounted = 5
	pointTimed   = 1
	pointsWanted = 40
)

// notStationary looks for a step or a trend in the measured phase: in the calls completed in each interval of a closed load,
// and in the geometric mean of the responses of each interval of an open one, whose rate is given, or of a closed one that has
// too few calls to be counted, or whose calls come in bursts. Where the load itself changes there is nothing to look for. It says
// so where a change could not have been seen.
func notStationary(m *measurement, t *Trial) []Finding {
	if t.Spec.Schedule != nil {
		return nil
	}
	s := seriesOf(m.spec, t.whileAllDue())
	change := stat.Stationary(s.values)
	switch {
	case change.Changes():
		return []Finding{s.changed(change, "")}
	case change.Kind != stat.Unknown, math.IsInf(change.Tells, 1) && len(paused(m, t)) > 0: // which says it
		return nil
	case len(t.Intervals) == 0:
		return []Finding{found(CodeNotTold, "the client does not report how its calls were spread over the measured phase, so "+
			"nothing shows whether the speed was steady")}
	default:
		return []Finding{found(CodeNotJudged, "%s", whyUnknown(t, s, change))}
	}
}

// changed is the finding of a step or a trend; whose says of whom it is, if not of one trial.
func (s series) changed(change stat.Finding, whose string) Finding {
	if change.Kind == stat.Step {
		return found(CodeStep, "%s changed by %+.0f%% of its median after %s of the measured phase%s "+
			"(%.1f times the 1%% bound)", s.of, 100*max(change.Change, -1),
			number.Percent(s.at(change.At), 0), whose, change.Clarity)
	}
	return found(CodeTrend, "%s drifted by %+.0f%% of its median over the measured phase%s (%.1f times the 1%% bound)", s.of,
		100*change.Change, whose, change.Clarity)
}

// A series should be steady in a measured phase.
type series struct {
	values []float64
	of     string  // what they are
	calls  int     // that a point needs
	since  float64 // part of the phase before them
}

// at returns the part of the phase before a point.
func (s series) at(point int) float64 {
	return s.since + (1-s.since)*float64(point)/float64(len(s.values))
}

func seriesOf(spec plan.Spec, intervals []result.Interval) series {
	settled := after(2, intervals)
	values, told := responses(settled)
	since := startOf(settled, intervals)
	timed := series{values, ofResponse, pointTimed, since}
	counted := series{rates(settled), "calls per second", pointCounted, since}
	switch {
	case !spec.Closed() && !told:
		return series{medians(intervals), ofResponse, pointCalls, 0}
	case !spec.Closed(), len(counted.values) < pointsWanted && len(timed.values) > len(counted.values), comeInBursts(intervals):
		return timed
	default:
		return counted
	}
}

const ofResponse = "response"

// comeInBursts reports whether calls take longer than an interval: those that began together with the phase then end together
// for a while, so their number is one of bursts. The rate of a closed load changes as its responses do.
func comeInBursts(intervals []result.Interval) bool {
	return len(intervals) > 0 && UsualResponse(intervals) > float64(intervals[0].EndNs-intervals[0].StartNs)
}

// Warming reports whether calls became faster in a measured phase, by a step or a trend: the warm-up was over too early.
func Warming(spec plan.Spec, clients []result.Client) bool {
	together, err := Together(clients)
	if err != nil || spec.Schedule != nil {
		return false
	}
	first := together.WindowNs
	for _, c := range clients {
		first = min(first, c.WindowNs)
	}
	s := seriesOf(spec, until(first, together.Intervals))
	change := stat.Stationary(s.values)
	isFaster := change.Change > 0
	if s.of == ofResponse {
		isFaster = change.Change < 0
	}
	return isFaster && change.Changes()
}

// whyUnknown returns why a step could not have been seen, and what would show it.
func whyUnknown(t *Trial, s series, change stat.Finding) string {
	switch {
	case len(s.values) < stat.StationaryIntervals:
		few := number.Verb(t.OK, "is", "are") + " too few"
		if s.calls == pointTimed && t.OK >= stat.StationaryIntervals {
			few = "ended at too few times" // many together
		}
		return fmt.Sprintf("%s in %s %s to show whether the speed was steady: it takes %d points in time with "+
			"%s each, and there %s %d%s", number.Count(t.OK, "call"), number.Duration(float64(windowNs(&t.Record))),
			few, stat.StationaryIntervals, number.Count(s.calls, "call"),
			number.Verb(len(s.values), "is", "are"), len(s.values), enough(t, len(s.values)))
	case math.IsInf(change.Tells, 1):
		return "most of the measured phase had no calls"
	default:
		return unseen(s, change) + longer(t, change, 1)
	}
}

// unseen says how large a step would have had to be.
func unseen(s series, change stat.Finding) string {
	return fmt.Sprintf("%s varied so much that no step under %s could be seen", s.of, number.Percent(change.Tells, 0))
}

// longestProposed is the longest proposed duration: noise that needs more does not decrease with the square root of the time.
const longestProposed = 10 * time.Minute

// longer says how long trials, or how many of them instead of trials, would probably show a step; "" if that is unreasonable.
func longer(t *Trial, change stat.Finding, trials int) string {
	times, ok := change.Longer()
	lasts := time.Duration(times * float64(windowNs(&t.Record)))
	if !ok || lasts <= 0 || lasts > longestProposed {
		return ""
	}
	text := ". Trials of about " + number.Duration(float64(max(lasts.Round(10*time.Millisecond), 10*time.Millisecond)))
	if t.Spec.Calls > 0 {
		text = fmt.Sprintf(". Trials of about %s calls", number.Whole(int64(times*float64(t.Spec.Calls))))
	}
	if more := int(math.Ceil(times * float64(trials))); more > trials {
		text += fmt.Sprintf(", or about %d of this length,", more)
	}
	return text + " would probably do"
}

// spare is a safety factor for the number of points, because calls are not spread evenly.
const spare = 1.5

// enough says how long a trial would probably have the points that it takes; "" where it has none.
func enough(t *Trial, points int) string {
	if points == 0 {
		return ""
	}
	times := spare * stat.StationaryIntervals / float64(points)
	if t.Spec.Calls > 0 {
		return fmt.Sprintf(". About %s calls would do", number.Whole(int64(times*float64(t.Spec.Calls))))
	}
	return fmt.Sprintf(". About %s would do", number.Duration(times*float64(windowNs(&t.Record))))
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

// pointsOf joins neighboring intervals until each point has pointCalls on average or, if that leaves fewer than pointsWanted,
// least; with a least of 0 an interval is a point. The remainder at the end is left out, and the last interval where the phase
// has cut it short.
func pointsOf(intervals []result.Interval, least int) [][]result.Interval {
	if len(intervals) < 2 {
		return nil
	}
	if last := intervals[len(intervals)-1]; lengthOf(last) < wholeShare*lengthOf(intervals[0]) {
		intervals = intervals[:len(intervals)-1]
	}
	calls := completed(intervals)
	if calls == 0 {
		return nil
	}
	perPoint := func(n int) int { return max(1, (n*len(intervals)+int(calls)-1)/int(calls)) } // intervals with n calls
	together := min(perPoint(pointCalls), max(perPoint(least), len(intervals)/pointsWanted))
	whole := len(intervals) / together * together
	return slices.Collect(slices.Chunk(intervals[:whole], together))
}

// wholeShare is the part of an interval's length below which the last one was not left to end. The timer may be a little late for
// the one before.
const wholeShare = 0.9

func lengthOf(i result.Interval) float64 { return float64(i.EndNs - i.StartNs) }

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
	for _, point := range pointsOf(intervals, pointCounted) {
		lasted := point[len(point)-1].EndNs - point[0].StartNs
		series = append(series, float64(completed(point))/(float64(max(lasted, 1))/1e9))
	}
	return series
}

// responses returns the geometric mean of the responses at each point with some; false means that the worker does not report it.
func responses(intervals []result.Interval) (series []float64, told bool) {
	if slices.ContainsFunc(intervals, isSilent) {
		return nil, false
	}
	for _, point := range pointsOf(intervals, 0) {
		if mean := UsualResponse(point); mean > 0 {
			series = append(series, mean)
		}
	}
	return series, true
}

// isSilent reports whether an interval does not say how long its calls took.
func isSilent(i result.Interval) bool { return i.OK > 0 && i.ResponseMeanNs <= 0 }

// medians returns the median response of each second with enough calls, which is all that older workers report.
func medians(intervals []result.Interval) []float64 {
	var series []float64
	for _, interval := range intervals {
		if interval.Response != nil && interval.Response.Calls >= pointCalls {
			series = append(series, float64(interval.Response.P50Ns))
		}
	}
	return series
}
