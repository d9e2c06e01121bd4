package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// maxMarks is the maximum number of marks in a line, which must fit 60 columns.
const maxMarks = 56

// markCalls is the average number of calls per mark. With fewer, random variation looks like a change.
const markCalls = 10

// timeBlocks draw the calls of the first trial that succeeded over time, successful and failed ones separately.
func timeBlocks(row *analysis.Row) document.Document {
	if len(row.Trials) == 0 {
		return nil
	}
	trial := row.Trials[0]
	intervals := inPhase(trial)
	which := ""
	if len(row.Trials) > 1 {
		which = fmt.Sprintf(" in trial %d", trial.Repetition)
	}
	var d document.Document
	for _, series := range []struct {
		name string
		of   func(result.Interval) int64
		tone document.Tone
	}{
		{"OK calls/s over time", func(i result.Interval) int64 { return i.OK }, document.Even},
		{"Failed calls/s over time", func(i result.Interval) int64 { return i.Errors }, document.Alarm},
	} {
		if marks, ok := marksOf(intervals, series.of); ok {
			marks.Caption, marks.Tone = series.name+which, series.tone
			d = append(d, marks)
		}
	}
	return d
}

// inPhase returns a trial's intervals in which calls were due. A piece that is left over at the end is left out.
func inPhase(trial *analysis.Trial) []result.Interval {
	intervals := trial.WhileDue()
	if n := len(intervals); n > 1 && 2*lengthOf(intervals[n-1]) < usualLength(intervals) {
		intervals = intervals[:n-1]
	}
	return intervals
}

// usualLength is the median of the lengths of intervals. On a busy machine a few are much longer.
func usualLength(intervals []result.Interval) int64 {
	lengths := make([]int64, len(intervals))
	for i, interval := range intervals {
		lengths[i] = lengthOf(interval)
	}
	slices.Sort(lengths)
	return max(lengths[len(lengths)/2], 1)
}

func lengthOf(i result.Interval) int64 { return i.EndNs - i.StartNs }

// roundTime is a time of intervals, which are a few milliseconds longer or shorter.
func roundTime(ns int64) string {
	const tenth = 100e6
	if ns >= tenth {
		ns = (ns + tenth/2) / tenth * tenth
	}
	return number.Duration(float64(ns))
}

// marksOf draws intervals as marks of one length, each of which has enough calls. All series span the same time. An interval that
// is longer than others is drawn as long as it was. It returns false if there is nothing to draw.
func marksOf(intervals []result.Interval, of func(result.Interval) int64) (document.Marks, bool) {
	var all int64
	for _, i := range intervals {
		all += of(i)
	}
	if all == 0 {
		return document.Marks{}, false
	}
	usual, start, end := usualLength(intervals), intervals[0].StartNs, intervals[len(intervals)-1].EndNs
	end += usual / 2 // intervals are a few milliseconds longer or shorter
	usuals := (end - start) / usual
	width := usual * max((usuals+maxMarks-1)/maxMarks, (markCalls*usuals+all-1)/all)
	marks := document.Marks{Span: float64(usuals*usual) / float64(width)}
	for from := start; from+width <= end; from += width {
		marks.Values = append(marks.Values, rateBetween(intervals, of, from, from+width))
	}
	if len(marks.Values) < 2 {
		return marks, false
	}
	marks.Note = fmt.Sprintf("each mark %s; lowest %s/s, highest %s/s", roundTime(width),
		number.None.Text(slices.Min(marks.Values)), number.None.Text(slices.Max(marks.Values)))
	return marks, true
}

// rateBetween returns the calls per second between two moments, as if those of an interval were spread evenly over it.
func rateBetween(intervals []result.Interval, of func(result.Interval) int64, from, to int64) float64 {
	var calls, ns float64
	for _, i := range intervals {
		if within := min(i.EndNs, to) - max(i.StartNs, from); within > 0 {
			ns += float64(within)
			calls += float64(of(i)) * float64(within) / float64(lengthOf(i))
		}
	}
	return calls * 1e9 / max(ns, 1)
}
