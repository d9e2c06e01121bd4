package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTheFloorIsTheFurtherEndOfTheInterval(t *testing.T) {
	t.Parallel()
	f, err := NoiseFloor([]float64{0.98, 1.01, 1, 1.02, 0.99, 1.005})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the floor", f.Half, 1/0.98-1, 1e-9)
	if f.N != 6 || f.Lo != 0.98 || f.Hi != 1.02 {
		t.Errorf("got %+v", f)
	}
	for _, ratios := range [][]float64{{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, math.Inf(1)}} {
		if _, err := NoiseFloor(ratios); err == nil {
			t.Errorf("%v make a floor", ratios)
		}
	}
}

func TestADifferenceIsToldAboveTheFloorOnly(t *testing.T) {
	t.Parallel()
	f := Floor{Half: 0.03}
	six := func(lo, center, hi float64) []float64 { return []float64{lo, center, center, center, center, hi} }
	for _, c := range []struct {
		ratios []float64
		want   bool
	}{
		{six(1.03, 1.05, 1.07), true},
		{six(0.93, 0.95, 0.97), true},
		{six(1.01, 1.02, 1.03), false},  // significant, but A/A may look so
		{six(0.99, 1.05, 1.07), false},  // the interval holds 1
		{six(0.975, 0.98, 0.99), false}, // as far below
		{six(1.03, 1.05, 1.07)[:5], false},
	} {
		if got := f.Tells(c.ratios); got != c.want {
			t.Errorf("%v: %v", c.ratios, got)
		}
	}
}

func TestPairsAreEnoughWhenTheIntervalHasStayedNarrow(t *testing.T) {
	t.Parallel()
	ratios := make([]float64, 14)
	for i := range ratios {
		ratios[i] = 1 + 0.001*float64(i%2)
	}
	if !Enough(ratios, 0.0011) || Enough(ratios, 0.0009) || Enough(ratios[:13], 0.0011) {
		t.Error("14 pairs with an interval of 0.1%")
	}
	wide := append([]float64{0.9, 1.1, 0.9, 1.1}, ratios[:10]...)
	if Enough(wide, 0.05) {
		t.Error("narrow with the last pair only")
	}
}

// untilEnough draws ratios around a center until they are enough, at most 200.
func untilEnough(random *rand.Rand, center, deviation, width float64) []float64 {
	var ratios []float64
	for len(ratios) < 200 && !Enough(ratios, width) {
		ratios = append(ratios, center*math.Exp(deviation*random.NormFloat64()))
	}
	return ratios
}

// TestToStopOnWidthKeepsTheRateOfFalseCalls simulates 1,000 A/A for each of two widths, at a nominal 5%, and shows what
// stopping on significance would do instead.
func TestToStopOnWidthKeepsTheRateOfFalseCalls(t *testing.T) {
	t.Parallel()
	random := seeded()
	for _, width := range []float64{0.08, 0.15} {
		missed := 0
		for range 1000 {
			if s := Summarize(untilEnough(random, 1, 0.07, width)); s.Lo > 1 || s.Hi < 1 {
				missed++
			}
		}
		if missed > 70 || missed < 10 {
			t.Errorf("width %v: %d of 1,000 intervals miss 1", width, missed)
		}
	}
	significant := 0
	for range 300 {
		var ratios []float64
		for len(ratios) < 60 {
			ratios = append(ratios, math.Exp(0.07*random.NormFloat64()))
			if s := Summarize(ratios); len(ratios) >= PairsLeast && (s.Lo > 1 || s.Hi < 1) {
				significant++
				break
			}
		}
	}
	if significant < 36 {
		t.Errorf("stopping on significance calls only %d of 300: the simulation shows nothing", significant)
	}
}

// TestAnABTellsAShiftAndSeldomNone is the whole course: a floor by A/A, then pairs until the interval is narrow.
func TestAnABTellsAShiftAndSeldomNone(t *testing.T) {
	t.Parallel()
	random := seeded()
	told := map[float64]int{}
	for range 200 {
		f, err := NoiseFloor(untilEnough(random, 1, 0.03, 0.04))
		if err != nil {
			t.Fatal(err)
		}
		for _, shift := range []float64{1, 1.05} {
			if f.Tells(untilEnough(random, shift, 0.03, 0.04)) {
				told[shift]++
			}
		}
	}
	if told[1] > 10 || told[1.05] < 180 {
		t.Errorf("of 200 each were told %v", told)
	}
}
