package stat

import (
	"math"
	"slices"
)

// Level is the nominal level of comparisons.
const Level = 0.05

// A Better says which direction of a figure is good.
type Better int

// Directions.
const (
	Lower  Better = iota // times and costs
	Higher               // rates
)

// A Decision is the result of a comparison.
type Decision string

// The decisions.
const (
	// Greater and Less say that B is: noise alone would hardly make such a difference. How large it is the interval says.
	Greater Decision = "greater"
	Less    Decision = "less"
	// Same says that no difference beyond a bound is left: both that B is greater by more and that it is less by more are
	// refuted. (D. J. Schuirmann, A comparison of the two one-sided tests procedure and the power approach for assessing the
	// equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
	Same Decision = "same"
	// Untold says that the trials leave more than one of these open.
	Untold Decision = "untold"
)

// Differs reports whether the decision is a difference.
func (d Decision) Differs() bool { return d == Greater || d == Less }

// A Design is the relation between the trials of two sides, which determines how they are compared.
type Design string

// Designs.
const (
	Independent Design = "trials"    // nothing: they are two samples
	Blocks      Design = "blocks"    // each block of one randomised run has both sides
	Looks       Design = "looks"     // as Blocks, looked at several times meanwhile: see Look, which has no p value
	Occasions   Design = "occasions" // each side was measured at several times
)

// A Ratio is B/A. With SpreadCI95, Lo and Hi are a 95% interval: of a Change the ratios that its test does not reject. With
// SpreadMinMax, where trials are too few for that, they are the least and the largest ratio that the trials can make.
type Ratio struct {
	Estimate
	Spread string
}

// A Change is the step from A to B.
type Change struct {
	A, B     Summary
	Design   Design
	N        int   // blocks, or what the side with fewer has of trials or occasions
	Ratio    Ratio // B/A; all zero where some value is not above 0, so that there is none
	HasRatio bool
	P        float64 // of the design's test, two-sided

	// What Decide concludes within the family.
	Q        float64 // P, adjusted
	Decision Decision
	// Least is the smallest difference that would have been found in 8 of 10 such comparisons within such a family, 0.05 being 5%;
	// 0 is unknown.
	Least float64
	// Trials is the number per side, or of blocks or occasions, that would find a difference at the bound of Same; 0 is unknown.
	Trials int
	TooFew bool // of them for any difference to be called, however large; Trials is then the least that would do

	less, more float64 // one-sided p values
	sides      sides   // of logarithms; nil where there is no ratio
	bare       sides   // those that P is from
	constant   bool    // all values of both sides are one
}

// Decline takes the ratio and the decision back, where the values are not what was to be compared. No number of trials would do.
func (c *Change) Decline() {
	c.HasRatio, c.Ratio, c.Decision = false, Ratio{}, Untold
	c.Least, c.Trials, c.TooFew = 0, 0, false
}

// Compare summarizes two samples of at least one finite value each, one value per trial, and their difference. Decide decides
// whether they differ.
func Compare(a, b []float64) Change {
	c := Change{A: Summarize(a), B: Summarize(b), Design: Independent, bare: &independent{a: a, b: b}}
	if positive(a, b) {
		c.sides = newIndependent(logsOf(a), logsOf(b))
	}
	c.less, c.more = oneSided(b, a), oneSided(a, b)
	c.finish(slices.Concat(a, b))
	return c
}

// CompareBlocks is Compare for values from the same blocks, in the same order. What the trials of a block share, such as a
// machine that has slowed down, affects neither the test nor the interval.
func CompareBlocks(a, b []float64) Change {
	c := Change{A: Summarize(a), B: Summarize(b), Design: Blocks}
	differences := func(a, b []float64) []float64 {
		found := make([]float64, len(a))
		for i := range a {
			found[i] = b[i] - a[i]
		}
		return found
	}
	raw := &blocked{differences: differences(a, b)}
	c.bare = raw
	if positive(a, b) {
		c.sides = newBlocked(differences(logsOf(a), logsOf(b)))
		c.bare = c.sides
	}
	c.less, c.more = c.bare.beyond(0)
	c.finish(slices.Concat(a, b))
	return c
}

// CompareOccasions is Compare for values that were measured at several times on a side, at least three on both sides together.
// The median of each time is a value of the test: Student's of their logarithms, or Mann and Whitney's if one is not above 0,
// or if no median of a side differs from another of it. Only if no value at all of a side differs from another, as byte counts
// often do not, it compares all values as of one occasion.
func CompareOccasions(a, b [][]float64) Change {
	allA, allB := slices.Concat(a...), slices.Concat(b...)
	if len(a)+len(b) < 3 || constant(allA) && constant(allB) {
		return Compare(allA, allB)
	}
	middlesA, middlesB := mediansOf(a), mediansOf(b)
	var c Change
	if !positive(middlesA, middlesB) || constant(middlesA) && constant(middlesB) {
		// If they are constant: no proof that they never vary, as a clock may be too coarse to show it, so only the order of the
		// sides says something.
		c = Compare(middlesA, middlesB)
	} else {
		s := &occasions{a: logsOf(middlesA), b: logsOf(middlesB)}
		c.sides, c.bare = s, s
		c.less, c.more = s.beyond(0)
		c.finish(slices.Concat(allA, allB))
	}
	c.A, c.B, c.Design = SummarizeOccasions(a), SummarizeOccasions(b), Occasions
	return c
}

// SummarizeOccasions sums up values that were measured at one time or at several: of several it is the median of their
// medians, and its interval or range, because values of one time have in common what the machine does then. N is the number of
// values.
func SummarizeOccasions(times [][]float64) Summary {
	if len(times) == 1 {
		return Summarize(times[0])
	}
	s := Summarize(mediansOf(times))
	s.N = len(slices.Concat(times...))
	return s
}

// mediansOf are those of what was measured at each time.
func mediansOf(side [][]float64) []float64 {
	var found []float64
	for _, values := range side {
		found = append(found, Summarize(values).Median)
	}
	return found
}

// finish computes what follows from the sides, whatever the design.
func (c *Change) finish(all []float64) {
	c.P, c.N = min(1, 2*c.less, 2*c.more), c.bare.size()
	c.constant = constant(all)
	if c.sides == nil {
		return
	}
	lo, hi, known := c.sides.interval(Level)
	ratio := Estimate{math.Exp(c.sides.estimate()), math.Exp(lo), math.Exp(hi)}
	if !(ratio.Lo > 0) || math.IsInf(ratio.Hi, 1) { // of a file that no clock wrote
		c.sides = nil
		return
	}
	c.HasRatio, c.Ratio = true, Ratio{ratio, SpreadMinMax}
	if known {
		c.Ratio.Spread = SpreadCI95
	}
}

func positive(samples ...[]float64) bool {
	return !slices.ContainsFunc(samples, func(s []float64) bool { return !(slices.Min(s) > 0) })
}

func logsOf(values []float64) []float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(v)
	}
	return logs
}

// equivalence is the p value against a difference of the bound or more: the larger of those against either side.
func (c *Change) equivalence(bound float64) float64 {
	switch {
	case c.constant:
		return c.bare.least()
	case c.sides == nil:
		return 1
	}
	_, more := c.sides.beyond(-bound)
	less, _ := c.sides.beyond(bound)
	return max(less, more)
}

// Decide sets what is left open of a family: all changes of one metric in one report, a change alone being a family of one.
// Calls are those of Benjamini and Hochberg at the level (see Adjust), of differences and of sameness each. A ratio within
// same, 0.05 being 5%, is the same; a difference that is clear differs however small it is. The test decides, not the
// interval of the ratio, which is of one change alone: in a longer family it can leave out 1 where nothing is decided.
func Decide(family []Change, level, same float64) {
	p, alike := make([]float64, len(family)), make([]float64, len(family))
	for i := range family {
		p[i], alike[i] = family[i].P, family[i].equivalence(math.Log1p(same))
	}
	q, levels, alikeLevels := Adjust(p), Levels(p, level), Levels(alike, level)
	for i := range family {
		c := &family[i]
		c.Q, c.Decision = q[i], Untold
		switch {
		case under(c.P, levels[i]) && c.more < c.less:
			c.Decision = Greater
		case under(c.P, levels[i]):
			c.Decision = Less
		case under(alike[i], alikeLevels[i]):
			c.Decision = Same
		}
		c.resolve(levels[i], same)
	}
}

// leastMost is the largest Least, a number also in percent, for files that no clock wrote.
const leastMost = 1e9

// resolve computes what the trials could have found at the level that the family leaves to the change, and how many would
// suffice.
func (c *Change) resolve(level, same float64) {
	c.Least, c.Trials, c.TooFew = 0, 0, !under(c.bare.least(), level)
	if c.sides != nil {
		c.Trials = c.sides.enough(level, math.Log1p(same))
		if reach, known := c.sides.finds(level); known && !c.TooFew {
			c.Least = min(math.Expm1(reach), leastMost)
		}
	}
	if c.Trials > 0 || c.TooFew {
		c.Trials = max(c.Trials, c.bare.needed(level))
	}
}
