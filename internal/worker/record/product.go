package record

import "math"

// A product is the logarithm of a product of many numbers. It multiplies most of them, because a logarithm for each would take as
// long as the rest of a Record.
type product struct {
	logs float64
	rest float64 // 1 at first
}

// maxProduct leaves room for the largest number of nanoseconds.
const maxProduct = 1e250

// multiply takes a number from 1 to MaxInt64.
func (p *product) multiply(by float64) {
	if p.rest *= by; p.rest > maxProduct {
		p.logs, p.rest = p.logs+math.Log(p.rest), 1
	}
}

func (p *product) log() float64 { return p.logs + math.Log(p.rest) }
