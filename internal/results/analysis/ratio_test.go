package analysis

import (
	"math"
	"testing"
)

// A ratio of rows is of their medians, and its interval is made of both rows' trials; a row set against itself has none.
func TestEveryRatioOfRowsHasItsInterval(t *testing.T) {
	t.Parallel()
	row := func(values ...int64) *Row {
		var trials []*Trial
		for i, ns := range values {
			s := spec("grpc-go")
			trials = append(trials, onlyRow(t, build(t, file("a", trial(t, s, i+1, 1000, ns)))).Trials[0])
		}
		return RowOf(trials)
	}
	base, slow := row(1000, 1000, 1250), row(2000, 1600, 2000)
	slow.Floor, base.Floor = base, base
	for _, q := range []Ratio{FloorTimes, ProtobufTimes, BatchTimes, PatternTimes, LinkTimes} {
		if _, ok := q.Of(row(1)); ok {
			t.Errorf("%s of a row without another one", q.Name)
		}
		if _, ok := q.Interval(row(1)); ok {
			t.Errorf("%s of a row without another one has an interval", q.Name)
		}
	}
	value, ok := FloorTimes.Of(slow)
	interval, known := FloorTimes.Interval(slow)
	if !ok || !known || value != 2 || interval.Value != 2 || math.Abs(interval.Lo-1600./1250) > 1e-9 || interval.Hi != 2 {
		t.Errorf("%v %v, %+v %v", value, ok, interval, known)
	}
	if s, ok := FloorTimes.Summary(slow); !ok || s.N != 3 || s.Median != 2 || s.Lo != interval.Lo || s.Hi != 2 {
		t.Errorf("%+v %v", s, ok)
	}
	if s, ok := FloorTimes.Summary(base); !ok || s.N != 1 || s.Median != 1 {
		t.Errorf("of the floor itself: %+v %v", s, ok)
	}
	if FloorTimes.Doubtful(slow) || BatchTimes.Doubtful(slow) {
		t.Error("rows that are stable, or that are not there, make a ratio doubtful")
	}
	slow.Floor = row(1000, 2000, 1000)
	if !FloorTimes.Doubtful(slow) {
		t.Error("a ratio to a row that is UNSTABLE is taken for certain")
	}
	slow.Floor = base
	if _, known := FloorTimes.Interval(base); known {
		t.Error("the floor has an interval of itself")
	}
	slow.Single, slow.Alternate = base, slow
	if _, ok := PatternTimes.Of(slow); ok {
		t.Error("a row is the same pattern as itself")
	}
	if interval, known := BatchTimes.Interval(slow); known {
		t.Errorf("calls without operations have %+v", interval)
	}
}
