package stat

import (
	"fmt"
	"math"
	"slices"
)

// PairsLeast is how many pairs of trials Enough asks for at least. An interval of fewer pairs is their range, or next to
// it, which is narrow by luck too often.
const PairsLeast = 10

// A Floor is what A against A looks like on a machine: the summary of the ratios of its pairs, and how far off 1 a
// difference must be to be seen.
type Floor struct {
	Summary
	// Half is the distance from 1 of the end of the interval that is further off, as a part: 0.03 means that differences
	// of less than 3% can't be told. That an interval does not hold 1 at all, because the first of two is always slower,
	// say, makes it larger.
	Half float64
}

// NoiseFloor makes a floor of the ratios B/A of pairs of trials in which B was A once more. It needs ConfidenceTrials pairs,
// and ratios above 0.
func NoiseFloor(ratios []float64) (Floor, error) {
	if len(ratios) < ConfidenceTrials {
		return Floor{}, fmt.Errorf("%d pairs are too few: a noise floor needs at least %d", len(ratios), ConfidenceTrials)
	}
	if least := slices.Min(ratios); math.IsInf(slices.Max(ratios), 0) || !(least > 0) {
		return Floor{}, fmt.Errorf("%v to %v is not a ratio", least, slices.Max(ratios))
	}
	s := Summarize(ratios)
	return Floor{Summary: s, Half: max(s.Hi, 1/s.Lo) - 1}, nil
}

// Tells whether the ratios of pairs show a difference: their interval, of at least ConfidenceTrials pairs, does not hold 1,
// and their median is further from 1 than the floor. The interval alone would do, were the two sides of a pair treated
// quite alike; the floor is the check that they are.
func (f Floor) Tells(ratios []float64) bool {
	if len(ratios) < ConfidenceTrials {
		return false
	}
	s := Summarize(ratios)
	return (s.Lo > 1 || s.Hi < 1) && max(s.Median, 1/s.Median)-1 > f.Half
}

// narrowFor is how many pairs in a row the interval must have been narrow: an interval is also narrow by luck, and luck
// with the width goes with an interval that misses. In 1,500 simulated A/A that stopped at the first narrow one, up to 8.1%
// missed 1; with five in a row up to 5.9%, for a quarter more pairs.
const narrowFor = 5

// Enough tells whether pairs of trials may end, given the ratios of all pairs, above 0, in the order in which they were
// measured: without the last, the last two and so on up to narrowFor−1, there are PairsLeast, and the 95% interval of their
// median is no wider than width, 0.02 meaning that its upper end is 2% above its lower.
//
// To look after every pair whether the difference is significant, and to stop when it is, would call a difference in most
// A/A sooner or later. Enough looks at the width only, which does not know on which side of 1 the interval lies. A sequence
// that ends so keeps its coverage as the width gets small (Y. S. Chow, H. Robbins, On the asymptotic theory of fixed-width
// sequential confidence intervals for the mean, Annals of Mathematical Statistics 36, 1965); before that, the least number
// of pairs, narrowFor and the caution of order statistics keep it near, as a test shows by simulation. A caller may also
// stop when its time is up, never because of what the ratios say.
func Enough(ratios []float64, width float64) bool {
	if len(ratios) < PairsLeast+narrowFor-1 {
		return false
	}
	for i := range narrowFor {
		if s := Summarize(ratios[:len(ratios)-i]); s.Hi/s.Lo-1 > width {
			return false
		}
	}
	return true
}
