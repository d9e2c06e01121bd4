package stat

import (
	"math"
	"math/rand/v2"
)

// A noise is a stationary series with mean 0 and variance 1, whose innovations are of a distribution, and autoregressive of
// order 1.
type noise struct {
	name string
	draw func(*rand.Rand) float64
	rho  float64
}

// of returns n values around 1,000 with a coefficient of variation.
func (z noise) of(random *rand.Rand, n int, variation float64) []float64 {
	series, x := make([]float64, n), 0.0
	for i := -30; i < n; i++ { // after 30 steps nothing is left of the 0
		x = z.rho*x + math.Sqrt(1-z.rho*z.rho)*z.draw(random)
		if i >= 0 {
			series[i] = 1000 * (1 + variation*x)
		}
	}
	return series
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

// lognormal has a skewness of 1.75.
func lognormal(r *rand.Rand) float64 { return (math.Exp(0.5*r.NormFloat64()) - 1.1331) / 0.6039 }

// heavyTailed is Student's t with 4 degrees of freedom.
func heavyTailed(r *rand.Rand) float64 {
	var squares float64
	for range 4 {
		squares += square(r.NormFloat64())
	}
	return r.NormFloat64() / math.Sqrt(squares/4) / math.Sqrt2
}

// twoHumped is one of two levels, three deviations apart, the lower one in three of ten.
func twoHumped(r *rand.Rand) float64 {
	if r.Float64() < 0.3 {
		return -1.45 + 0.3*r.NormFloat64()
	}
	return 0.62 + 0.3*r.NormFloat64()
}
