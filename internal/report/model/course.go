package model

import (
	"maps"
	"math"
	"slices"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// A Course is how a trial went along its measured phase. Lists of equal length belong together.
type Course struct {
	EndMs    []int64    `json:"end"` // of each piece
	OK       []int64    `json:"ok"`  // calls per second in it
	Errors   []int64    `json:"errors,omitempty"`
	InFlight []int64    `json:"inflight"` // at its end
	MeanNs   []int64    `json:"mean,omitempty"`
	Seconds  [][5]int64 `json:"seconds,omitempty"` // end in ms, p50, p90, p99 and the longest in ns
	Each     int        `json:"each,omitempty"`    // seconds that share one of Seconds, where there are several
	Heat     *Heat      `json:"heat,omitempty"`

	Processes []Process `json:"processes,omitempty"`
	Hosts     []Host    `json:"hosts,omitempty"`
}

// Heat counts calls by latency in each part of the phase.
type Heat struct {
	EndMs []int64    `json:"end"`
	Cells [][3]int64 `json:"cells"` // number of the part, of the lowest bin, and the calls
}

// limits keep a page of a thousand trials small.
type limits struct {
	pieces, seconds int // of a course
	heats           bool
	curvePoints     float64 // of a decade
}

// limitsOf allows full detail for a few trials and an outline for a thousand.
func limitsOf(rows []*analysis.Row) limits {
	trials := 0
	for _, row := range rows {
		trials += len(row.Trials)
	}
	const few, many = 60, 300
	switch {
	case trials <= few:
		return limits{pieces: 300, seconds: 300, heats: true, curvePoints: 24}
	case trials <= many:
		return limits{pieces: 60, seconds: 60, heats: true, curvePoints: 12}
	default:
		return limits{pieces: 30, seconds: 20, curvePoints: 8}
	}
}

// courseOf is nil where a trial has no intervals. Neighbours share a piece where there are too many.
func courseOf(trial *analysis.Trial, most limits) (*Course, error) {
	intervals := trial.Intervals
	if n := len(intervals); n > 1 && 2*length(intervals[n-1]) < length(intervals[0]) {
		intervals = intervals[:n-1] // what is left over at the end
	}
	if len(intervals) < 2 {
		return nil, nil //nolint:nilnil // it has none
	}
	c := &Course{}
	each := (len(intervals) + most.pieces - 1) / most.pieces
	for begin := 0; begin < len(intervals); begin += each {
		c.add(intervals[begin:min(begin+each, len(intervals))])
	}
	c.trim()
	c.addSeconds(intervals, most.seconds)
	if !most.heats {
		return c, nil
	}
	c.Processes, c.Hosts = processesOf(trial, most.pieces), hostsOf(trial, most.pieces)
	var err error
	c.Heat, err = heatOf(trial, most.pieces)
	return c, err
}

func length(i result.Interval) int64 { return i.EndNs - i.StartNs }

// add adds a piece for intervals.
func (c *Course) add(intervals []result.Interval) {
	var ok, errors, ns int64
	for _, i := range intervals {
		ok, errors, ns = ok+i.OK, errors+i.Errors, ns+length(i)
	}
	ns = max(ns, 1)
	last := intervals[len(intervals)-1]
	c.EndMs = append(c.EndMs, last.EndNs/1e6)
	c.OK, c.Errors = append(c.OK, perSec(ok, ns)), append(c.Errors, perSec(errors, ns))
	c.InFlight, c.MeanNs = append(c.InFlight, last.InFlight), append(c.MeanNs, int64(math.Round(analysis.UsualResponse(intervals))))
}

func perSec(calls, ns int64) int64 { return int64(float64(calls)*1e9/float64(ns) + 0.5) }

// trim drops lists of nothing.
func (c *Course) trim() {
	for _, list := range []*[]int64{&c.Errors, &c.MeanNs} {
		some := false
		for _, v := range *list {
			some = some || v != 0
		}
		if !some {
			*list = nil
		}
	}
}

// addSeconds adds the percentiles of seconds. Where there are too many, neighbors share an entry with the worst second's of each,
// so that no slow one vanishes.
func (c *Course) addSeconds(intervals []result.Interval, most int) {
	var all []result.Interval
	for _, i := range intervals {
		if i.Response != nil {
			all = append(all, i)
		}
	}
	each := max((len(all)+most-1)/most, 1)
	if each > 1 {
		c.Each = each
	}
	for some := range slices.Chunk(all, each) {
		worst := [5]int64{some[len(some)-1].EndNs / 1e6}
		for _, i := range some {
			if r := i.Response; r.Calls > 0 {
				worst[1], worst[2] = max(worst[1], r.P50Ns), max(worst[2], r.P90Ns)
				worst[3], worst[4] = max(worst[3], r.P99Ns), max(worst[4], r.MaxNs)
			}
		}
		if worst[4] > 0 { // none of a time without calls
			c.Seconds = append(c.Seconds, worst)
		}
	}
}

// heatBins is the height of a cell in bins.
const heatBins = 2

// heatOf is nil where a trial was not recorded by parts.
func heatOf(trial *analysis.Trial, most int) (*Heat, error) {
	var columns []column
	for window, err := range analysis.Windows(trial.Clients) {
		if err != nil {
			return nil, err
		}
		columns = append(columns, columnOf(window))
	}
	if len(columns) < 2 {
		return nil, nil //nolint:nilnil // it has none
	}
	heat := &Heat{}
	for part, c := range joined(columns, most, column.plus) {
		heat.EndMs = append(heat.EndMs, c.endMs)
		for _, number := range slices.Sorted(maps.Keys(c.calls)) {
			heat.Cells = append(heat.Cells, [3]int64{int64(part), number, c.calls[number]})
		}
	}
	return heat, nil
}

// A column is a part of a heat map: its calls by the lowest bin of a cell.
type column struct {
	endMs int64
	calls map[int64]int64
}

func columnOf(window record.Window) column {
	c := column{endMs: window.End.Milliseconds(), calls: map[int64]int64{}}
	for _, b := range binned(window.Response) {
		c.calls[b[0]-b[0]%heatBins] += b[1]
	}
	return c
}

// plus adds the next column's calls to its own.
func (c column) plus(next column) column {
	for number, calls := range next.calls {
		c.calls[number] += calls
	}
	return column{endMs: next.endMs, calls: c.calls}
}
