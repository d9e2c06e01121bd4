package stat

import (
	"math"
)

// combined are the values that all pairs of two samples make. There are as many as their sizes multiplied, so that they are
// counted and not kept: a file of 50,000 lines a side would take 20 GB.
type combined struct {
	n      int
	atMost func(x float64) int // how many are x or less
}

// differencesOf are all b − a.
func differencesOf(a, b []float64) combined {
	a, b = inOrder(a), inOrder(b)
	return combined{len(a) * len(b), func(x float64) (n int) {
		j := 0
		for _, from := range a { // the larger it is, the more differences are small
			for j < len(b) && b[j]-from <= x {
				j++
			}
			n += j
		}
		return n
	}}
}

// walshOf are the means of all two values, and of each with itself.
func walshOf(values []float64) combined {
	sorted := inOrder(values)
	return combined{len(sorted) * (len(sorted) + 1) / 2, func(x float64) (n int) {
		j := len(sorted)
		for i, one := range sorted { // the larger it is, the fewer others make a small mean with it
			for j > i && one/2+sorted[j-1]/2 > x {
				j--
			}
			n += max(j-i, 0)
		}
		return n
	}}
}

// kth returns the k-th smallest value, from 1 to n: the least number with at least k values at most as large. It bisects the
// float64 values, of which there are 2⁶⁴.
func (c combined) kth(k int) float64 {
	lo, hi := ordinal(-math.MaxFloat64), ordinal(math.MaxFloat64)
	for lo < hi {
		if middle := lo + (hi-lo)/2; c.atMost(ofOrdinal(middle)) >= k {
			hi = middle
		} else {
			lo = middle + 1
		}
	}
	return ofOrdinal(lo) + 0 // −0 is 0
}

func (c combined) median() float64 {
	lo, hi := c.kth((c.n+1)/2), c.kth(c.n/2+1)
	return lo + (hi-lo)/2
}

const signBit = 1 << 63

// ordinal numbers finite floats in their order.
func ordinal(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits < signBit {
		return bits | signBit
	}
	return ^bits
}

func ofOrdinal(n uint64) float64 {
	if n >= signBit {
		return math.Float64frombits(n &^ signBit)
	}
	return math.Float64frombits(^n)
}
