package stat

import (
	"math"
	"testing"
)

func TestSummaryIsMedianAndRangeBelowSixTrials(t *testing.T) {
	t.Parallel()
	check := func(want Summary, sample ...float64) {
		t.Helper()
		if got := Summarize(sample); got != want {
			t.Errorf("%v: got %+v, want %+v", sample, got, want)
		}
	}
	check(Summary{N: 1, Median: 7, Lo: 7, Hi: 7, Spread: "min-max"}, 7)
	check(Summary{N: 2, Median: 5, Lo: 4, Hi: 6, Spread: "min-max"}, 6, 4)
	check(Summary{N: 3, Median: 2, Lo: 1, Hi: 30, Spread: "min-max"}, 30, 1, 2)
	check(Summary{N: 5, Median: 3, Lo: 1, Hi: 5, Spread: "min-max"}, 5, 4, 3, 2, 1)
}

func TestSummaryHasAConfidenceIntervalFromSixTrialsOn(t *testing.T) {
	t.Parallel()
	// Ranks of the two-sided 95% interval of the median, as printed in tables of the sign test.
	for n, rank := range map[int]int{6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 15: 4, 17: 5, 20: 6, 25: 8, 30: 10} {
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = float64(n - i) // n … 1
		}
		got := Summarize(sample)
		want := Summary{N: n, Median: float64(n+1) / 2, Lo: float64(rank), Hi: float64(n + 1 - rank), Spread: "ci95"}
		if got != want {
			t.Errorf("n=%d: got %+v, want %+v", n, got, want)
		}
	}
}

func TestCoverageIsBinomial(t *testing.T) {
	t.Parallel()
	check := func(n, r int, want float64) {
		t.Helper()
		if got := coverage(n, r); math.Abs(got-want) > 1e-12 {
			t.Errorf("coverage(%d, %d) = %v, want %v", n, r, got, want)
		}
	}
	check(5, 1, 1-2./32)
	check(6, 1, 1-2./64)
	check(9, 2, 1-2*(1+9)/512.)
	check(10, 3, 1-2*(1+10+45)/1024.)
}

func TestSummarizeLeavesTheSampleAlone(t *testing.T) {
	t.Parallel()
	sample := []float64{3, 1, 2}
	Summarize(sample)
	if sample[0] != 3 || sample[1] != 1 || sample[2] != 2 {
		t.Errorf("the sample is now %v", sample)
	}
}

func TestALargeSampleDoesNotOverflow(t *testing.T) {
	t.Parallel()
	sample := make([]float64, 5000)
	for i := range sample {
		sample[i] = float64(i)
	}
	got := Summarize(sample)
	// The normal approximation puts the ranks at n/2 ± 1.96·√n/2 = 2500 ± 69.
	if math.Abs(got.Lo-2430) > 2 || math.Abs(got.Hi-2569) > 2 {
		t.Errorf("interval %v–%v, want about 2430–2569", got.Lo, got.Hi)
	}
}

// The difference of two finite values may be more than any.
func TestTheMiddleOfFiniteValuesIsFinite(t *testing.T) {
	t.Parallel()
	for want, sample := range map[float64][]float64{0: {-1.7e308, 1.7e308}, 1.7e308: {1.7e308, 1.7e308}, 2: {1, 3}} {
		if got := Summarize(sample).Median; got != want {
			t.Errorf("the median of %v is %v, want %v", sample, got, want)
		}
	}
}
