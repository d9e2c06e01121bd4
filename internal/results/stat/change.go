package stat

import "slices"

// Level is the nominal level of comparisons.
const Level = 0.05

// A Better says which direction of a figure is good.
type Better int

// Directions.
const (
	Lower  Better = iota // times and costs
	Higher               // rates
)

// A Decision is what a comparison comes to.
type Decision string

// The decisions.
const (
	// Differs says that noise alone would hardly make such a difference.
	Differs Decision = "differs"
	// Untold says that noise can't be told from change. It does not say that the sides are equal: the ratio's interval says
	// how large a change would have gone unseen.
	Untold Decision = "~"
	// NeedsTrials says that so few trials could not be told apart however different they were.
	NeedsTrials Decision = "needs trials"
)

// A Ratio is B/A. With SpreadCI95, Lo and Hi are a 95% interval by bootstrap; with SpreadMinMax, on fewer than
// ConfidenceTrials on a side, they are the least and the largest ratio that the trials can make.
type Ratio struct {
	Estimate
	Spread string
}

// A Change is the step from A to B.
type Change struct {
	A, B     Summary
	Ratio    Ratio // of the medians, B/A; all zero where some value is not above 0, so that there is none
	HasRatio bool
	P        float64 // of MannWhitney

	// What Decide makes of it within its family.
	Q        float64 // P, adjusted
	Decision Decision
	Trials   int // with NeedsTrials, how many each side needs, the rest of the family being what it is
}

// Compare sums up two samples of at least one finite value each, one value for each trial, and what lies between them.
// Whether they differ is for Decide.
func Compare(a, b []float64) Change {
	c := Change{A: Summarize(a), B: Summarize(b), P: MannWhitney(a, b)}
	if slices.Min(a) > 0 && slices.Min(b) > 0 {
		c.Ratio, c.HasRatio = ratioOf([]Pair{{A: a, B: b}}), true
	}
	return c
}

// Decide sets Q, Decision and Trials of a family: all changes of one metric in one report, a change alone being a family of
// one. Calls are those of Benjamini and Hochberg at the level (see Adjust). The test decides, not the interval of the ratio:
// near the edge the two may disagree.
func Decide(family []Change, level float64) {
	p := make([]float64, len(family))
	for i, c := range family {
		p[i] = c.P
	}
	q, levels := Adjust(p), Levels(p, level)
	for i := range family {
		c := &family[i]
		c.Q, c.Decision, c.Trials = q[i], Untold, 0
		switch {
		case under(c.P, levels[i]):
			c.Decision = Differs
		case !under(LeastP(c.A.N, c.B.N), levels[i]):
			c.Decision, c.Trials = NeedsTrials, TrialsNeeded(levels[i])
		}
	}
}
