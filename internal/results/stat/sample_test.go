package stat

import (
	"math"
	"testing"
)

func TestAQuantileNeedsAnIntervalThatEnds(t *testing.T) {
	t.Parallel()
	for quantile, want := range map[float64]int{0.5: 6, 0.9: 36, 0.99: 368, 0.999: 3688, 0.9999: 36887, 0.1: 36} {
		n := SamplesNeeded(quantile)
		if n != want {
			t.Errorf("%v needs %d, want %d", quantile, n, want)
		}
		inside := max(quantile, 1-quantile)
		if math.Pow(inside, float64(n)) > 0.025 || math.Pow(inside, float64(n-1)) <= 0.025 {
			t.Errorf("%d is not the least for %v", n, quantile)
		}
	}
	if SamplesNeeded(0.5) != ConfidenceTrials {
		t.Error("the median over trials has another rule")
	}
}
