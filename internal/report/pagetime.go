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
	}{
		{"OK calls/s over time", func(i result.Interval) int64 { return i.OK }},
		{"Failed calls/s over time", func(i result.Interval) int64 { return i.Errors }},
	} {
		if marks, ok := marksOf(intervals, series.of); ok {
			marks.Caption = series.name + which
			d = append(d, marks)
		}
	}
	return d
}

// inPhase returns a trial's intervals in which calls were due. A piece that is left over at the end is left out.
func inPhase(trial *analysis.Trial) []result.Interval {
	intervals := trial.WhileDue()
	if n := len(intervals); n > 1 && 2*lengthOf(intervals[n-1]) < lengthOf(intervals[0]) {
		intervals = intervals[:n-1]
	}
	return intervals
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

// marksOf merges intervals until each mark has enough calls. It returns false if there is nothing to draw.
func marksOf(intervals []result.Interval, of func(result.Interval) int64) (document.Marks, bool) {
	var all int64
	for _, i := range intervals {
		all += of(i)
	}
	if all == 0 {
		return document.Marks{}, false
	}
	each := max((len(intervals)+maxMarks-1)/maxMarks, (markCalls*len(intervals)+int(all)-1)/int(all))
	var marks document.Marks
	for chunk := range slices.Chunk(intervals, each) {
		var n, ns int64
		for _, i := range chunk {
			n, ns = n+of(i), ns+lengthOf(i)
		}
		if len(chunk) == each || len(marks.Values) == 0 {
			marks.Values = append(marks.Values, float64(n)*1e9/float64(max(ns, 1)))
		}
	}
	if len(marks.Values) < 2 {
		return marks, false
	}
	marks.Note = fmt.Sprintf("each mark %s; lowest %s/s, highest %s/s", roundTime(int64(each)*lengthOf(intervals[0])),
		number.None.Text(slices.Min(marks.Values)), number.None.Text(slices.Max(marks.Values)))
	return marks, true
}
