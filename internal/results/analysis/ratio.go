package analysis

import "rpcbench/internal/results/stat"

// A Ratio sets a row against another at the same point. No trial has it: it is of both rows' medians, and its interval of both
// rows' trials.
type Ratio struct {
	Name    string // as a column
	Meaning string
	Absent  string // when a row has none
	// sides are the rows whose figures are divided; nil where there is none.
	sides func(*Row) (over, under *Row, of Metric)
}

// Ratios of rows.
var (
	FloorTimes = Ratio{"floor_ratio", "distance from the limit as a multiple of [the floor](measuring.md#the-floor)'s",
		"the floor was not measured at this point", (*Row).toFloor}
	ProtobufTimes = Ratio{"protobuf_ratio", "ns_per_operation as a multiple of protobuf's",
		"no codec, or protobuf was not measured at this point", (*Row).toProtobuf}
	BatchTimes = Ratio{"batch_ratio", "operations_per_sec as a multiple of those with batches of 1",
		"no batches, or those of 1 were not measured at this point", (*Row).toSingle}
	PatternTimes = Ratio{"pattern_ratio",
		"operations_per_sec as a multiple of those with the same batches one at a time on a stream",
		"no batches, or these were not measured, or this is that row", (*Row).toAlternate}
	LinkTimes = Ratio{"link_ratio", "how many times as slow the link makes the row, by calls_per_sec or response_p50",
		"no link, or nothing was measured without one at this point", (*Row).toNear}
)

// Of returns the ratio of a row; false says that it has none.
func (q Ratio) Of(r *Row) (float64, bool) {
	over, under, m := q.sides(r)
	if over == nil || under == nil {
		return 0, false
	}
	return ratio(over, under, m)
}

// Interval returns the 95% bootstrap interval of the ratio, if both rows have enough trials. A row compared with itself has none.
func (q Ratio) Interval(r *Row) (stat.Ratio, bool) {
	over, under, m := q.sides(r)
	if over == nil || under == nil || over == under {
		return stat.Ratio{}, false
	}
	return stat.RatioOf(sample(under.Trials, m), sample(over.Trials, m))
}

// Summary is the ratio with its interval as that of a figure over the trials; N is 1 where it has none.
func (q Ratio) Summary(r *Row) (stat.Summary, bool) {
	value, ok := q.Of(r)
	interval, spread := q.Interval(r)
	if !spread {
		return stat.Summary{N: 1, Median: value, Lo: value, Hi: value}, ok
	}
	over, under, _ := q.sides(r)
	return stat.Summary{N: max(len(over.Trials), len(under.Trials)), Median: value, Lo: interval.Lo, Hi: interval.Hi,
		Spread: interval.Spread}, ok
}

// Doubtful reports whether one of the two rows is Unstable, so that the ratio says no more than its interval.
func (q Ratio) Doubtful(r *Row) bool {
	over, under, _ := q.sides(r)
	return over != nil && under != nil && (over.Unstable() || under.Unstable())
}

func ratio(over, under *Row, m Metric) (float64, bool) {
	dividend, known := over.Summary(m)
	if !known {
		return 0, false
	}
	divisor, known := under.Summary(m)
	if !known || divisor.Median == 0 {
		return 0, false
	}
	return dividend.Median / divisor.Median, true
}

// toFloor has how many times further from the limit than the floor a row is: 1 is the floor itself, 4 took four times as long, or
// carried a fourth.
func (r *Row) toFloor() (over, under *Row, of Metric) {
	if r.RateLike() {
		return r.Floor, r, CallsPerSec
	}
	return r, r.Floor, ResponseP50Ns
}

func (r *Row) toProtobuf() (over, under *Row, of Metric) { return r, r.Protobuf, NsPerOperation }

func (r *Row) toSingle() (over, under *Row, of Metric) { return r, r.Single, OperationsPerSec }

func (r *Row) toAlternate() (over, under *Row, of Metric) {
	if r.Alternate == r {
		return nil, nil, ""
	}
	return r, r.Alternate, OperationsPerSec
}

// toNear has the calls per second without a link by those with it for rows that are RateLike or have batches, and the median
// response with it by that without it for all others.
func (r *Row) toNear() (over, under *Row, of Metric) {
	switch {
	case r.Spec.Link == nil:
		return nil, nil, ""
	case r.RateLike() || r.Spec.Batch > 0 && r.Spec.Closed():
		return r.Near, r, CallsPerSec
	default:
		return r, r.Near, ResponseP50Ns
	}
}
