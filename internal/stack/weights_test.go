package stack

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

const weightsFixture = "testdata/weights.csv"

// weightLines are seed, weights, the call's number, and which of the calls it is.
func weightLines() (lines [][]string) {
	for _, weights := range [][]uint64{{1}, {70, 20, 10}, {1, math.MaxUint64 - 2, 1}, {5, 5, 5, 5, 5, 5, 5}} {
		var words []string
		for _, w := range weights {
			words = append(words, fmt.Sprint(w))
		}
		for _, seed := range pinnedSeeds {
			for _, slot := range pinnedSlots {
				for _, call := range pinnedDraws {
					number := uint64(slot)<<40 + call
					drawn := NewWeights(seed, weights).Draw(number)
					lines = append(lines, []string{fmt.Sprint(seed), strings.Join(words, " "), fmt.Sprint(number), fmt.Sprint(drawn)})
				}
			}
		}
	}
	return lines
}

// What is drawn has the weights that were asked for, within five standard deviations.
func TestCallsHaveTheirWeights(t *testing.T) {
	t.Parallel()
	const calls = 100_000
	weights := []uint64{70, 20, 10}
	drawn := NewWeights(7, weights)
	counts := make([]float64, len(weights))
	for i := range uint64(calls) {
		counts[drawn.Draw(i)]++
	}
	for i, weight := range weights {
		part := float64(weight) / 100
		if want, deviation := part*calls, math.Sqrt(part*(1-part)*calls); math.Abs(counts[i]-want) > 5*deviation {
			t.Errorf("call %d: %v of %d, want %v", i, counts[i], calls, want)
		}
	}
}

func TestWeightsThatNoMixCanHave(t *testing.T) {
	t.Parallel()
	for want, weights := range map[string][]uint64{
		"": {1, 2}, "a mix has at least one call": nil, "a call has no weight": {1, 0},
		"the weights add up to more than 64 bits": {math.MaxUint64, 1}, "a mix has at most 64 calls, not 65": make([]uint64, 65),
	} {
		if got := CheckWeights(weights); got != want {
			t.Errorf("%d weights: %q, want %q", len(weights), got, want)
		}
	}
}

func TestDrawingACallAllocatesNothing(t *testing.T) {
	drawn := NewWeights(1, []uint64{70, 20, 10})
	number := uint64(0)
	if got := testing.AllocsPerRun(1000, func() { drawn.Draw(number); number++ }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
