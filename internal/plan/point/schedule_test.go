package point

import (
	"math"
	"testing"
	"time"
)

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
