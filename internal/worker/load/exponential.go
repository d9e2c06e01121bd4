package load

import "math"

// An exponential is a sequence of draws from the exponential distribution of mean 1, by inversion of SplitMix64's numbers.
// Its value is the state; worker.v1 specifies the sequence.
type exponential uint64

func (e *exponential) next() float64 {
	*e += 0x9E3779B97F4A7C15
	z := uint64(*e)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return -math.Log(1 - float64(z>>11)*0x1p-53)
}
