package driver

import (
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// The points of a short phase are at least the 40 in which a step is found with the stated power (see stat.Stationary).
func TestAShortPhaseIsReadAsOftenAsItsJudgementNeeds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lasts, want time.Duration
		calls       int64
		perSec      float64
	}{
		{100 * time.Millisecond, 5 * time.Millisecond, 0, 0}, {300 * time.Millisecond, 6 * time.Millisecond, 0, 0},
		{time.Second, 20 * time.Millisecond, 0, 0}, {2500 * time.Millisecond, 50 * time.Millisecond, 0, 0},
		{9 * time.Second, 50 * time.Millisecond, 0, 0}, {10 * time.Second, 0, 0, 0}, {0, 0, 100, 0},
		{0, 5 * time.Millisecond, 400, 4000}, {0, 10 * time.Millisecond, 400, 400}, {0, 0, 400, 1},
	} {
		if got := intervalNs(plan.Spec{DurationNs: int64(c.lasts), Calls: c.calls}, c.perSec); got != int64(c.want) {
			t.Errorf("%v, %d calls at %v/s: every %v, want %v", c.lasts, c.calls, c.perSec, time.Duration(got), c.want)
		}
	}
}

func TestAWarmUpOfCountedCallsHasAnIntervalThatEndsWithIt(t *testing.T) {
	t.Parallel()
	for longest, want := range map[time.Duration]time.Duration{
		0: 0, time.Millisecond: 5 * time.Millisecond, 30 * time.Millisecond: 30 * time.Millisecond, 100 * time.Millisecond: 0,
		150 * time.Millisecond: 75 * time.Millisecond, 250 * time.Millisecond: 83333334, 8 * time.Second: 0,
	} {
		spec := plan.Spec{WarmupNs: int64(longest), Calls: 400}
		s := &sides{driver: &driver{}, sideTrial: sideTrial{spec: spec, evidence: &result.Trial{}}}
		if got := s.begin(control.Warmup, 0).GetIntervalNs(); got != int64(want) {
			t.Errorf("a warm-up of %v: every %v, want %v", longest, time.Duration(got), want)
		}
	}
	s := &sides{
		driver: &driver{}, sideTrial: sideTrial{spec: plan.Spec{WarmupNs: 150e6, DurationNs: 300e6}, evidence: &result.Trial{}},
	}
	if got := s.begin(control.Warmup, 0); got.GetIntervalNs() != 0 || got.GetDurationNs() != 150e6 {
		t.Errorf("one that ends by itself: %v", got)
	}
}

func TestTheRateOfAWarmUpIsThatOfItsEnd(t *testing.T) {
	t.Parallel()
	done := &control.Done{Arrivals: 50, ElapsedNs: 5e8}
	if got := (&warming{perSec: []float64{10, 40}}).rate(done); got != 40 {
		t.Errorf("with intervals %v/s, want 40", got)
	}
	if got := (&warming{}).rate(done); got != 100 {
		t.Errorf("without intervals %v/s, want 100", got)
	}
}
