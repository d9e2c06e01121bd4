// Package ab decides in which order two servers are measured, and when that is enough.
//
// Trials come in pairs, one after the other, so changes of a machine over minutes affect both trials of a pair. Two pairs
// make a block, AB BA or BA AB, drawn from the seed: within it, the effect of being second in a pair, and a machine that
// gets steadily slower, cancel. Blocks are judged at a few looks, which share the level of the test between them, and the
// experiment ends at the first look with a clear result (see stat.LookAt).
//
// The first pairs compare A with itself. They check for bias: a difference between two equal servers is not the servers'.
//
// The decisions are pure; what pairs show is decided in results/pairs. Servers, which start the server of a trial, are not pure.
package ab

import (
	"math/rand/v2"

	"rpcbench/internal/results/pairs"
)

// Settings configure an experiment.
type Settings struct {
	Seed     uint64 // of the order within blocks
	Alike    int    // pairs of A with itself; fewer than pairs.LeastAlike never show a bias
	Recalled int    // pairs that a file had already: their failures are over
}

// Next returns the pair that follows the outcomes so far, or false if there is none. over says that those of A and B are enough.
func (s Settings) Next(so []pairs.Outcome, over bool) (next pairs.Step, more bool) {
	if s.failing(so) {
		return pairs.Step{}, false
	}
	next = pairs.Step{Number: len(so) + 1, Block: pairs.BlockOf(len(so) + 1)}
	if len(so) > 0 && so[len(so)-1].Block == next.Block { // the block's other half
		last := so[len(so)-1].Step
		last.Number, last.Sides = next.Number, [2]pairs.Side{last.Sides[1], last.Sides[0]}
		return last, true
	}
	if next.Alike = len(pairs.Ratios(so, true)) < s.Alike; !next.Alike && over {
		return pairs.Step{}, false
	}
	if next.Sides = [2]pairs.Side{pairs.A, pairs.B}; next.Alike {
		next.Sides = [2]pairs.Side{pairs.First, pairs.Second}
	}
	if rand.New(rand.NewPCG(s.Seed, uint64(next.Block))).IntN(2) == 1 {
		next.Sides[0], next.Sides[1] = next.Sides[1], next.Sides[0]
	}
	return next, true
}

func (s Settings) failing(so []pairs.Outcome) bool {
	return pairs.Failing(so[min(s.Recalled, len(so)):])
}
