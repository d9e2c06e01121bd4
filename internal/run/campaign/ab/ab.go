// Package ab decides in which order two servers are measured, when that is enough, and what can be said of them.
//
// Trials come in pairs, one after the other, so that what changes on a machine over minutes changes for both of a pair;
// which is first is drawn from a seed. The first pairs are of A with itself: what their ratios show is noise, and the
// floor under which nothing is told. Then come pairs of A and B, until the interval of their ratio is narrow enough. The
// package never looks whether a difference shows in order to stop: that would find one in nothing (see stat.Enough).
//
// The decisions are pure. Servers, which start the server of a trial, are not.
package ab

import (
	"math/rand/v2"

	"rpcbench/internal/results/stat"
)

// A Side is what one trial of a pair measures.
type Side string

// The sides. Those of the first pairs are both A, and have their own names in the results.
const (
	A      Side = "a"
	B      Side = "b"
	First  Side = "a/a first"  // A, in the part of A
	Second Side = "a/a second" // A, in the part of B
)

// IsB tells whether the server is B.
func (s Side) IsB() bool { return s == B }

// A Step is one pair of trials that is to be measured.
type Step struct {
	Number int     // 1, 2, … over all pairs
	Sides  [2]Side // in the order of their measurement
	Alike  bool    // both are A
}

// An Outcome is what a pair came to.
type Outcome struct {
	Step
	Ratio float64 // of the metric, B to A or Second to First; 0 where a trial failed
}

// Settings are what an experiment is told.
type Settings struct {
	Seed  uint64  // of the order within pairs
	Alike int     // pairs of A with itself; at least stat.ConfidenceTrials
	Width float64 // of the interval that is narrow enough: 0.05 is 5%
	Most  int     // pairs of A and B
}

// failuresMost is how many pairs may fail one after another before the experiment ends.
const failuresMost = 3

// Next returns the pair that follows the outcomes so far; false says that there is none.
func (s Settings) Next(so []Outcome) (next Step, more bool) {
	next = Step{Number: len(so) + 1, Alike: len(Ratios(so, true)) < s.Alike, Sides: [2]Side{A, B}}
	if Failing(so) || !next.Alike && s.Over(so) {
		return Step{}, false
	}
	if next.Alike {
		next.Sides = [2]Side{First, Second}
	}
	if rand.New(rand.NewPCG(s.Seed, uint64(next.Number))).IntN(2) == 1 {
		next.Sides[0], next.Sides[1] = next.Sides[1], next.Sides[0]
	}
	return next, true
}

// Over tells whether the pairs of A and B are enough, or as many as there may be.
func (s Settings) Over(so []Outcome) bool {
	ratios := Ratios(so, false)
	return len(ratios) >= s.Most || stat.Enough(ratios, s.Width)
}

// Failing tells whether the last pairs have all failed.
func Failing(so []Outcome) bool {
	if len(so) < failuresMost {
		return false
	}
	for _, o := range so[len(so)-failuresMost:] {
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

// A Finding is what pairs say of one metric.
type Finding struct {
	Pairs      int
	Ratio      stat.Summary // B to A, over pairs
	Floor      stat.Floor   // of A with itself
	FloorKnown bool
	Differs    bool
}

// Judge says what the ratios of pairs show: alike are those of A with itself. Too few of either show nothing.
func Judge(alike, ratios []float64) Finding {
	found := Finding{Pairs: len(ratios)}
	if len(ratios) == 0 {
		return found
	}
	found.Ratio = stat.Summarize(ratios)
	floor, err := stat.NoiseFloor(alike)
	if err != nil {
		return found
	}
	found.Floor, found.FloorKnown, found.Differs = floor, true, floor.Tells(ratios)
	return found
}
