package main

import (
	"errors"
	"math/rand/v2"
	"testing"

	"rpcbench/internal/results/stat"
)

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 0)) }

func TestASideKeepsItsPlaceWhicheverIsFirst(t *testing.T) {
	t.Parallel()
	random, aFirst := seeded(), 0
	for range 100 {
		turn := 0.0
		takes := func(value float64) side {
			return func() (float64, error) { turn++; return value + turn, nil }
		}
		p, err := pairOf(random, takes(10), takes(20))
		if err != nil {
			t.Fatal(err)
		}
		switch p {
		case pair{11, 22}:
			aFirst++
		case pair{12, 21}:
		default:
			t.Fatalf("%v: a side is missing or in the other's place", p)
		}
	}
	if aFirst < 35 || aFirst > 65 {
		t.Errorf("the first side came first %d times of 100, want about half", aFirst)
	}
}

func TestAPairWithoutAFigureIsNone(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	good := func() (float64, error) { return 1, nil }
	if _, err := pairOf(seeded(), good, func() (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	if _, err := pairOf(seeded(), good, func() (float64, error) { return 0, nil }); err == nil {
		t.Error("a rate of 0 made a pair")
	}
}

// The median of ratios is not the ratio of medians: here they are 2 and 0.75.
func TestRatiosAreOfPairs(t *testing.T) {
	t.Parallel()
	pairs := []pair{{2, 1}, {6, 3}, {3, 8}, {2, 4}, {40, 10}}
	want := stat.Summary{N: 5, Median: 2, Lo: .375, Hi: 4, Spread: stat.SpreadMinMax}
	if got := ratios(pairs); got != want {
		t.Errorf("ratios %+v, want %+v", got, want)
	}
	want = stat.Summary{N: 5, Median: 1, Lo: -5, Hi: 30, Spread: stat.SpreadMinMax}
	if got := differences(pairs); got != want {
		t.Errorf("differences %+v, want %+v", got, want)
	}
}

// Of 20 pairs the 95% interval is from the 6th to the 15th ratio.
func TestTheIntervalOfTwentyPairs(t *testing.T) {
	t.Parallel()
	var pairs []pair
	for i := range 20 {
		pairs = append(pairs, pair{float64(91 + i), 100})
	}
	s := ratios(pairs)
	if s.Lo != .96 || s.Hi != 1.05 || s.Spread != stat.SpreadCI95 {
		t.Errorf("interval %v–%v (%s), want 0.96–1.05", s.Lo, s.Hi, s.Spread)
	}
	if !contains(s, 1) || contains(s, 1.06) || contains(s, .95) {
		t.Error("contains is wrong about what is in the interval")
	}
	if within(s, .02) || within(s, .045) || !within(s, .06) {
		t.Error("within is wrong about how far the interval goes")
	}
}
