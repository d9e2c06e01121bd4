package stat

import (
	"math"
	"strings"
	"testing"
)

var callers = []float64{1, 2, 4, 8, 16, 32, 64}

func TestTheLawIsFoundExactlyWithoutNoise(t *testing.T) {
	t.Parallel()
	truth := Scaling{Lambda: 10_000, Sigma: 0.05, Kappa: 0.002}
	s, err := FitScaling(noisy(seeded(), callers, 3, 0, truth.Rate))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "λ", s.Lambda, 10_000, 1e-6)
	near(t, "σ", s.Sigma, 0.05, 1e-6)
	near(t, "κ", s.Kappa, 0.002, 1e-6)
	peak, ok := s.Peak()
	near(t, "the peak", peak.Value, math.Sqrt(0.95/0.002), 1e-6) // 21.8
	if !ok || !s.Fits() {
		t.Errorf("got %+v", s)
	}
}

func TestTheLawIsFoundThroughNoise(t *testing.T) {
	t.Parallel()
	truth, random := Scaling{Lambda: 10_000, Sigma: 0.05, Kappa: 0.002}, seeded()
	covered := 0
	for range 60 {
		s, err := FitScaling(noisy(random, callers, 5, 0.03, truth.Rate))
		if err != nil {
			t.Fatal(err)
		}
		peak, ok := s.Peak()
		if !ok {
			t.Fatalf("no peak: %+v", s)
		}
		near(t, "λ", s.Lambda, 10_000, 0.12)
		near(t, "the peak", peak.Value, 21.8, 0.2)
		if peak.Lo <= 21.8 && 21.8 <= peak.Hi {
			covered++
		}
	}
	if covered < 52 {
		t.Errorf("%d of 60 intervals hold the peak; 95%% are nominal", covered)
	}
}

func TestALawWithoutCrosstalkHasNoPeak(t *testing.T) {
	t.Parallel()
	s, err := FitScaling(noisy(seeded(), callers, 3, 0, Scaling{Lambda: 100, Sigma: 0.2}.Rate))
	if err != nil {
		t.Fatal(err)
	}
	if peak, ok := s.Peak(); ok && peak.Value < 1e4 {
		t.Errorf("a peak at %v of %+v", peak, s)
	}
	near(t, "λ/σ", s.Lambda/s.Sigma, 500, 1e-6)
}

// Where there is none, a peak is named in 5% at most; where it lies within what was measured, nearly always.
func TestAPeakIsSeldomNamedWhereThereIsNone(t *testing.T) {
	t.Parallel()
	for _, trials := range []int{3, 8} {
		random := seeded()
		named := func(truth Scaling) float64 {
			return partOf(50, func() bool {
				s, err := FitScaling(noisy(random, callers, trials, 0.03, truth.Rate))
				_, ok := s.Peak()
				return err == nil && ok
			})
		}
		if part := named(Scaling{Lambda: 100, Sigma: 0.2}); part > 0.1 { // 5%, and two standard deviations
			t.Errorf("%d trials, no peak: named in %.0f%%", trials, 100*part)
		}
		if part := named(Scaling{Lambda: 100, Sigma: 0.05, Kappa: 0.002}); part < 0.95 {
			t.Errorf("%d trials, a peak at 21.8: named in %.0f%%", trials, 100*part)
		}
	}
	s, err := FitScaling(noisy(seeded(), callers, 2, 0.03, Scaling{Lambda: 100, Sigma: 0.05, Kappa: 0.002}.Rate))
	if _, ok := s.Peak(); err != nil || ok {
		t.Errorf("two trials at a point: a peak of %+v, %v", s, err)
	}
}

// A point 15% off its curve is seen whatever the number of trials, and more often with more of them.
func TestMoreTrialsDoNotHideAMisfit(t *testing.T) {
	t.Parallel()
	for trials, least := range map[int]float64{3: 0.9, 10: 0.97, 30: 0.99} {
		random := seeded()
		seen := partOf(100, func() bool {
			points := noisy(random, []float64{1, 2, 3, 4, 5, 6}, trials, 0.05, func(float64) float64 { return 100 })
			for i := range points[3].Values {
				points[3].Values[i] *= 1.2
			}
			return misfit(points, func(float64) float64 { return 100 }).X == 4
		})
		if seen < least {
			t.Errorf("%d trials: seen in %.0f%%, stated are %.0f%%", trials, 100*seen, 100*least)
		}
	}
}

func TestParametersAreNeverNegative(t *testing.T) {
	t.Parallel()
	// More than in proportion at first, then a ceiling: a free fit has σ below 0.
	points := []Point{{1, []float64{100}}, {2, []float64{260}}, {4, []float64{560}}, {8, []float64{600}}, {16, []float64{420}}}
	s, err := FitScaling(points)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sigma < 0 || s.Kappa < 0 || s.Lambda <= 0 {
		t.Errorf("got %+v", s)
	}
	if s.Fits() {
		t.Errorf("the law is said to fit: %+v", s.Misfit)
	}
}

func TestWhatSupportsNoFitIsSaid(t *testing.T) {
	t.Parallel()
	few := noisy(seeded(), callers[:3], 3, 0, Scaling{Lambda: 100, Sigma: 0.2}.Rate)
	straight := noisy(seeded(), callers, 3, 0.01, func(n float64) float64 { return 100 * n })
	for want, points := range map[string][]Point{
		"3 points are too few: a fit needs at least 4": few,
		"still grows in proportion at 64 callers, so":  straight,
		"0.5 callers are fewer than 1":                 noisy(seeded(), []float64{0.5, 1, 2, 3}, 1, 0, Scaling{Lambda: 1}.Rate),
	} {
		if _, err := FitScaling(points); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestDoublingStopsToPay(t *testing.T) {
	t.Parallel()
	// X(2N)/X(N) = 2(1+σ(N−1))/(1+σ(2N−1)) < 1.1 with σ = 0.1 where 0.81 < 0.02N.
	if n, ok := (Scaling{Lambda: 1, Sigma: 0.1}).StopsPaying(0.1); n != 41 || !ok {
		t.Errorf("got %d %v, want 41", n, ok)
	}
	if _, ok := (Scaling{Lambda: 1}).StopsPaying(0.1); ok {
		t.Error("doubling stops to pay where the rate grows in proportion")
	}
}
