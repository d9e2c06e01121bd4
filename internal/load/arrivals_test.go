package load

import (
	"math"
	"slices"
	"testing"
	"time"
)

func gaps(s Schedule) []float64 {
	var gaps []float64
	a := newArrivals(s)
	before := time.Duration(0)
	for due, ok := a.next(); ok; due, ok = a.next() {
		gaps = append(gaps, float64(due-before)/float64(time.Second))
		before = due
	}
	return gaps
}

// The Kolmogorov–Smirnov distance of 100,000 gaps from the exponential distribution stays under its 1% critical value,
// 1.63/√n (Stephens 1974).
func TestPoissonGapsAreExponential(t *testing.T) {
	t.Parallel()
	const n, rate = 100_000, 250.0
	g := gaps(Schedule{PerSec: rate, Poisson: true, Seed: 42, Limit: Limit{Calls: n}})
	if len(g) != n {
		t.Fatalf("%d gaps, want %d", len(g), n)
	}
	slices.Sort(g)
	worst := 0.0
	for i, gap := range g {
		truth := 1 - math.Exp(-rate*gap)
		worst = max(worst, math.Abs(truth-float64(i)/n), math.Abs(truth-float64(i+1)/n))
	}
	if limit := 1.63 / math.Sqrt(n); worst > limit {
		t.Errorf("distance %.5f from the exponential distribution, at most %.5f is expected", worst, limit)
	}
}

func TestASeedGivesOneSequence(t *testing.T) {
	t.Parallel()
	s := Schedule{PerSec: 100, Poisson: true, Seed: 3, Limit: Limit{Calls: 1000}}
	other := s
	other.Seed = 4
	if !slices.Equal(gaps(s), gaps(s)) {
		t.Error("equal schedules differ")
	}
	if slices.Equal(gaps(s), gaps(other)) {
		t.Error("two seeds give the same gaps")
	}
}

func TestConstantArrivalsDoNotDrift(t *testing.T) {
	t.Parallel()
	a := newArrivals(Schedule{PerSec: 3, Limit: Limit{Calls: 3_000_001}})
	if last := a.last(); last != 1_000_000*time.Second {
		t.Errorf("arrival 3,000,000 at 3/s is due at %v, want 1,000,000 s", last)
	}
}

func TestTheWindowIsHalfOpen(t *testing.T) {
	t.Parallel()
	if n := len(gaps(Schedule{PerSec: 1000, Limit: Limit{Duration: time.Second}})); n != 1000 {
		t.Errorf("%d arrivals in 1 s at 1000/s, want 1000", n)
	}
}
