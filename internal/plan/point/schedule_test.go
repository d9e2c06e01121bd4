package point

import (
	"math"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan/schedule"
)

// A line for a reader has the ends of a long ramp, a column for a program all of it.
func TestALongRampIsWholeInItsColumn(t *testing.T) {
	t.Parallel()
	whole := strings.TrimSuffix(strings.Repeat("hold:1@1s+", 9), "+")
	s, err := schedule.Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{Load: LoadClosed, Schedule: s}
	if column, _ := ColumnNamed("ramp"); column.Text(spec) != whole {
		t.Errorf("the column has %s", column.Text(spec))
	}
	const want = "closed hold:1@1s+hold:1@1s+hold:1@1s+… 3 more (5192adb7) …+hold:1@1s+hold:1@1s+hold:1@1s"
	if got := spec.load(); got != want {
		t.Errorf("the line has %s, want %s", got, want)
	}
}

func TestWhatIsDueBySchedules(t *testing.T) {
	t.Parallel()
	s := &Schedule{Stages: []Stage{
		{From: 100, To: 100, LengthNs: int64(time.Second)}, {From: 100, To: 300, LengthNs: int64(2 * time.Second)},
	}}
	for until, want := range map[time.Duration]float64{
		-time.Second: 0, 0: 0, 500 * time.Millisecond: 50, time.Second: 100, 2 * time.Second: 250, 3 * time.Second: 500,
		5 * time.Second: 1100,
	} {
		if got := (Spec{Schedule: s, OfferedPerSec: 1}).Due(until); got != want {
			t.Errorf("by %v %v calls are due, want %v", until, got, want)
		}
	}
	if got := (Spec{OfferedPerSec: 40}).Due(2 * time.Second); got != 80 {
		t.Errorf("at 40 calls/s %v are due in 2 s, want 80", got)
	}
	if got := s.Mean(500*time.Millisecond, 2*time.Second); math.Abs(got-400.0/3) > 1e-9 {
		t.Errorf("from 0.5 to 2 s the mean is %v, want 133.3", got)
	}
	if got := s.Most(); got != 300 {
		t.Errorf("the most is %v, want 300", got)
	}
	if got := s.Length(); got != 3*time.Second {
		t.Errorf("it takes %v, want 3s", got)
	}
}
