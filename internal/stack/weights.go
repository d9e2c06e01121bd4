package stack

import (
	"fmt"
	"math/bits"
	"sort"
)

// MixMax is the most calls of a mix. The worker keeps a histogram for each.
const MixMax = 64

// Weights choose, for each call of a mix, which of several calls it is. The choice depends on the seed and the call's number
// alone, and is the same in every language; testdata/weights.csv pins examples.
//
// Call number n is the one that below(w(n), sum of all weights) falls in when weights are added up in order, w being the words of
// SplitMix64 (see Payload) started with the seed, and below as in Sizes.
//
// Weights may be used concurrently.
type Weights struct {
	seed uint64
	ends []uint64 // weights, added up
}

// NewWeights makes a choice of at least one weight, for which CheckWeights must find no fault.
func NewWeights(seed uint64, weights []uint64) *Weights {
	w := &Weights{seed: seed, ends: make([]uint64, len(weights))}
	sum := uint64(0)
	for i, weight := range weights {
		sum += weight
		w.ends[i] = sum
	}
	return w
}

// CheckWeights returns what is wrong with weights, or "".
func CheckWeights(weights []uint64) string {
	switch n := len(weights); {
	case n == 0:
		return "a mix has at least one call"
	case n > MixMax:
		return fmt.Sprintf("a mix has at most %d calls, not %d", MixMax, n)
	}
	sum := uint64(0)
	for _, weight := range weights {
		next, carry := bits.Add64(sum, weight, 0)
		switch {
		case weight == 0:
			return "a call has no weight"
		case carry > 0:
			return "the weights add up to more than 64 bits"
		}
		sum = next
	}
	return ""
}

// Draw returns which of the calls a call number is, from 0.
func (w *Weights) Draw(number uint64) int {
	at := below(payloadWord(w.seed, number), w.ends[len(w.ends)-1])
	return sort.Search(len(w.ends), func(i int) bool { return at < w.ends[i] })
}
