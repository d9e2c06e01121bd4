// Package ab decides in which order two servers are measured, when that is enough, and what the result is.
//
// Trials come in pairs, one after the other, so changes of a machine over minutes affect both trials of a pair. Two pairs
// make a block, AB BA or BA AB, drawn from the seed: within it, the effect of being second in a pair, and a machine that
// gets steadily slower, cancel. Blocks are judged at a few looks, which share the level of the test between them, and the
// experiment ends at the first look with a clear result (see stat.LookAt).
//
// The first pairs compare A with itself. They check for bias: a difference between two equal servers is not the servers'.
//
// The decisions are pure. Servers, which start the server of a trial, are not.
package ab

import (
	"math/rand/v2"

	"rpcbench/internal/results/stat"
)

// A Side is the subject of one trial of a pair.
type Side string

// The sides. Those of the first pairs are both A, and have their own names in the results.
const (
	A      Side = "a"
	B      Side = "b"
	First  Side = "a/a first"  // A, in the part of A
	Second Side = "a/a second" // A, in the part of B
)

// IsB reports whether the server is B.
func (s Side) IsB() bool { return s == B }

// PartOfB reports whether the trial is the numerator of the ratio.
func (s Side) PartOfB() bool { return s == B || s == Second }

// A Step is one pair of trials that is to be measured.
type Step struct {
	Number int     // 1, 2, … over all pairs
	Block  int     // 1, 2, … over all blocks
	Sides  [2]Side // in the order of their measurement
	Alike  bool    // both are A
}

// An Outcome is the result of a pair.
type Outcome struct {
	Step
	Ratio float64 // of the metric, B to A or Second to First; 0 where a trial failed
}

// Settings configure an experiment.
type Settings struct {
	Seed  uint64  // of the order within blocks
	Alike int     // pairs of A with itself; at least stat.ConfidenceTrials
	Same  float64 // a ratio within it is the same: 0.05 is 5%
	Width float64 // how narrow the interval has to be, too: 0.05 is 5%; 0 is however wide
	Most  int     // pairs of A and B
}

// maxFailures is the number of consecutive failed pairs that ends the experiment.
const maxFailures = 3

// Next returns the pair that follows the outcomes so far, or false if there is none.
func (s Settings) Next(so []Outcome) (next Step, more bool) {
	if Failing(so) {
		return Step{}, false
	}
	next = Step{Number: len(so) + 1, Block: 1}
	if len(so) > 0 {
		last := so[len(so)-1].Step
		if len(so) == 1 || so[len(so)-2].Block != last.Block { // the block's other half
			last.Number, last.Sides = next.Number, [2]Side{last.Sides[1], last.Sides[0]}
			return last, true
		}
		next.Block = last.Block + 1
	}
	if next.Alike = len(Ratios(so, true)) < s.Alike; !next.Alike && s.Over(so) {
		return Step{}, false
	}
	if next.Sides = [2]Side{A, B}; next.Alike {
		next.Sides = [2]Side{First, Second}
	}
	if rand.New(rand.NewPCG(s.Seed, uint64(next.Block))).IntN(2) == 1 {
		next.Sides[0], next.Sides[1] = next.Sides[1], next.Sides[0]
	}
	return next, true
}

// Over reports whether there are enough pairs of A and B, or as many as allowed.
func (s Settings) Over(so []Outcome) bool {
	logs := logsOf(so, shift)
	switch {
	case len(Ratios(so, false)) >= s.Most:
		return true
	case !stat.IsLook(len(logs)):
		return false
	}
	l := stat.LookAt(logs, s.Same)
	return l.Decision != stat.Untold && (s.Width <= 0 || l.Ratio.Hi/l.Ratio.Lo-1 <= s.Width)
}

// Failing reports whether the last pairs have all failed.
func Failing(so []Outcome) bool {
	if len(so) < maxFailures {
		return false
	}
	for _, o := range so[len(so)-maxFailures:] {
		if o.Ratio != 0 {
			return false
		}
	}
	return true
}

// Ratios returns those of the pairs that did not fail, in their order: of A with itself, or of A and B.
func Ratios(so []Outcome, alike bool) []float64 {
	var ratios []float64
	for _, o := range so {
		if o.Ratio != 0 && o.Alike == alike {
			ratios = append(ratios, o.Ratio)
		}
	}
	return ratios
}
