package analysis

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/stat"
)

// A BatchFit is the cost of a message by the number of its operations, over rows that differ in nothing else.
type BatchFit struct {
	Rows []*Row // by batch
	// Line is ns per message, elapsed time by messages, over operations per message. Where several are in flight it is a
	// share of the time and no latency.
	Line stat.Line
	Err  error // why there is no Line
}

// BatchFits fits each set of rows that differ in their batch only, if it has at least two batches. Rows without a trial
// that succeeded are left out. They come in the order of their first rows.
func BatchFits(rows []*Row) []BatchFit {
	var fits []BatchFit
	for _, set := range grouped(rows, without(func(s *plan.Spec) { s.Batch = 0 })) {
		set = slices.DeleteFunc(set, func(r *Row) bool { return r.Spec.Batch == 0 || !r.Spec.Closed() })
		if len(set) < 2 {
			continue
		}
		slices.SortFunc(set, func(a, b *Row) int { return cmp.Compare(a.Spec.Batch, b.Spec.Batch) })
		fit := BatchFit{Rows: set}
		fit.Line, fit.Err = stat.FitLine(points(set, ElapsedPerBatch, func(s plan.Spec) int { return s.Batch }))
		fits = append(fits, fit)
	}
	return fits
}

// BestUnder returns the row with the most operations a second whose p99 response is at most the limit; nil says that none
// is as quick as that.
func (f BatchFit) BestUnder(limit time.Duration) *Row {
	var best *Row
	var most float64
	for _, row := range f.Rows {
		p99, known := row.Summary(ResponseP99Ns.Judged())
		rate, alsoKnown := row.Summary(OperationsPerSec)
		if known && alsoKnown && p99.Median <= float64(limit) && rate.Median > most {
			best, most = row, rate.Median
		}
	}
	return best
}

// A ScalingFit is the rate by the number of callers, over rows that differ in nothing else.
type ScalingFit struct {
	Rows []*Row // by callers
	Over string // what grows: SweepInFlight, …
	Rate Metric // what is fitted: the rate that a table of the rows shows, which is in proportion to calls per second
	// Scaling fits that rate to the number of callers, which are the calls in flight of all connections.
	Scaling stat.Scaling
	Err     error // why there is no Scaling
}

// What grows in a sweep.
const (
	SweepInFlight    = "calls in flight on each connection"
	SweepConnections = "connections"
	SweepShape       = "connections and calls in flight"
)

// minSweep is the least number of callers that is called a sweep: fewer are a comparison, and no fit is missed.
const minSweep = 3

// ScalingFits fits each set of closed rows that differ in the number of callers only: in the calls in flight, or in the
// connections; or, where neither has enough by itself, in both together. Rows without a trial that succeeded are left out,
// and those whose callers came and went.
func ScalingFits(rows []*Row) []ScalingFit {
	var fits []ScalingFit
	for _, set := range grouped(rows, without(func(s *plan.Spec) { s.Connections, s.InFlight, s.Streams = 0, 0, 0 })) {
		set = slices.DeleteFunc(set, func(r *Row) bool {
			return !r.Spec.Closed() || r.Spec.Coding() || r.Spec.Opens() || r.Spec.Schedule != nil
		})
		fits = append(fits, sweeps(set)...)
	}
	return fits
}

// sweeps returns the fits of rows that differ in connections, calls in flight and streams.
func sweeps(set []*Row) []ScalingFit {
	var found []ScalingFit
	for _, by := range []struct {
		over string
		key  func(*Row) string
	}{
		{SweepInFlight, func(r *Row) string { return strconv.Itoa(r.Spec.Connections) + streamsMode(r.Spec) }},
		{SweepConnections, func(r *Row) string { return strconv.Itoa(r.Spec.InFlight) + streamsMode(r.Spec) }},
	} {
		for _, sweep := range grouped(set, by.key) {
			if callers(sweep) >= minSweep {
				found = append(found, newScalingFit(sweep, by.over))
			}
		}
	}
	supported := func(f ScalingFit) bool { return callers(f.Rows) >= stat.ScalingPoints }
	if !slices.ContainsFunc(found, supported) && callers(set) >= stat.ScalingPoints {
		return []ScalingFit{newScalingFit(set, SweepShape)}
	}
	return found
}

// streamsMode distinguishes a stream for each call in flight from a fixed number of streams.
func streamsMode(s plan.Spec) string {
	switch s.Streams {
	case 0:
		return ""
	case s.InFlight:
		return " each"
	default:
		return " " + strconv.Itoa(s.Streams)
	}
}

func newScalingFit(rows []*Row, over string) ScalingFit {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Spec.Slots(), b.Spec.Slots()) })
	fit := ScalingFit{Rows: rows, Over: over, Rate: rateOf(rows[0])}
	fit.Scaling, fit.Err = stat.FitScaling(points(rows, fit.Rate, plan.Spec.Slots))
	return fit
}

// rateOf returns the rate of what a row's calls carry: operations, messages, or the calls themselves.
func rateOf(row *Row) Metric {
	for _, rate := range []Metric{OperationsPerSec, MessagesPerSec} {
		if _, ok := row.Summary(rate); ok {
			return rate
		}
	}
	return CallsPerSec
}

// callers counts the different numbers of callers.
func callers(rows []*Row) int {
	seen := map[int]bool{}
	for _, row := range rows {
		seen[row.Spec.Slots()] = true
	}
	return len(seen)
}

// without returns a function for keys without what a change removes.
func without(change func(*plan.Spec)) func(*Row) Key {
	return func(r *Row) Key { return r.KeyWith(change) }
}

// grouped is ByKey of the rows with a trial that succeeded.
func grouped[K comparable](rows []*Row, by func(*Row) K) [][]*Row {
	return ByKey(slices.DeleteFunc(slices.Clone(rows), func(row *Row) bool { return len(row.Trials) == 0 }), by)
}

// ByKey parts items by a key of theirs, in the order of the first of each.
func ByKey[T any, K comparable](items []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{}
	for _, item := range items {
		i, ok := index[key(item)]
		if !ok {
			i = len(groups)
			index[key(item)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}

// points are the figures of each trial over a number of the point. A trial in which nothing succeeded has none.
func points(rows []*Row, m Metric, x func(plan.Spec) int) []stat.Point {
	var all []stat.Point
	for _, row := range rows {
		p := stat.Point{X: float64(x(row.Spec))}
		for _, value := range sample(row.Trials, m) {
			if value > 0 {
				p.Values = append(p.Values, value)
			}
		}
		all = append(all, p)
	}
	return all
}
