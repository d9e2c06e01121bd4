package stat

import "math"

// Regressions whose errors are autoregressive of order 1, by generalized least squares: each value less ρ times the one
// before, the first value being weighted so that its error has the same variance. (S. J. Prais, C. B. Winsten, Trend
// estimators and serial correlation, Cowles Commission discussion paper 383, 1954.)

// A regression is a slope with its standard error.
type regression struct{ slope, error float64 }

func (r regression) t() float64 { return math.Abs(r.slope) / r.error }

// products are sums of the products of a constant c, a regressor x and a series y, each less ρ times its last value.
type products struct{ cc, cx, xx, cy, xy, yy float64 }

// leastError is a standard deviation that is taken for none, of a series of logarithms.
const leastError = 1e-6

// regression of n values. Besides the two coefficients, ρ takes a degree of freedom.
func (p *products) regression(n int) regression {
	determinant := p.cc*p.xx - p.cx*p.cx
	slope := (p.cc*p.xy - p.cx*p.cy) / determinant
	rest := p.yy - (p.cy-slope*p.cx)/p.cc*p.cy - slope*p.xy
	variance := max(rest/float64(n-3), leastError*leastError)
	return regression{slope, math.Sqrt(variance * p.cc / determinant)}
}

// slopeOf is the regression on the number of the value.
func slopeOf(y []float64, rho float64) regression {
	var p products
	first := math.Sqrt(1 - rho*rho)
	p.add(first, 0, first*y[0])
	for i, value := range y[1:] {
		p.add(1-rho, float64(i+1)-rho*float64(i), value-rho*y[i])
	}
	return p.regression(len(y))
}

func (p *products) add(c, x, y float64) {
	p.cc, p.cx, p.xx = p.cc+c*c, p.cx+c*x, p.xx+x*x
	p.cy, p.xy, p.yy = p.cy+c*y, p.xy+x*y, p.yy+y*y
}

// lagSums are the sums of a series up to each place, from which steps at all places follow without looking at it again.
type lagSums struct {
	y       []float64
	sum     []float64 // of the first i values
	squares []float64
	lagged  []float64 // of the products of neighbours among the first i values
}

func lagSumsOf(y []float64) lagSums {
	n := len(y)
	s := lagSums{y, make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)}
	for i, v := range y {
		s.sum[i+1], s.squares[i+1] = s.sum[i]+v, s.squares[i]+v*v
	}
	for i, v := range y[1:] {
		s.lagged[i+2] = s.lagged[i+1] + v*y[i]
	}
	return s
}

// step is the regression on 0 before a place, from 1 to n−1, and 1 from there on.
func (s lagSums) step(at int, rho float64) regression {
	n, c, first := len(s.y), 1-rho, 1-rho*rho
	last, beyond := s.y[n-1], float64(n-at-1)
	all := s.sum[n] - s.y[0] - rho*(s.sum[n]-last)               // of the differences but the first
	after := s.sum[n] - s.sum[at+1] - rho*(s.sum[n-1]-s.sum[at]) // of those beyond the place
	squares := s.squares[n] - s.y[0]*s.y[0] + rho*rho*(s.squares[n]-last*last) - 2*rho*s.lagged[n]
	return (&products{
		cc: first + float64(n-1)*c*c, cx: c + beyond*c*c, xx: 1 + beyond*c*c,
		cy: first*s.y[0] + c*all, xy: s.y[at] - rho*s.y[at-1] + c*after, yy: first*s.y[0]*s.y[0] + squares,
	}).regression(n)
}

// remaining is the correlation of neighbors in what a step leaves. A short series shows too little of it, by (1+3ρ)/n
// (F. H. C. Marriott, J. A. Pope, Bias in the estimation of autocorrelations, Biometrika 41, 1954); twice that is added,
// because the step was fitted too, where it looks largest. It is at least 0: that neighbors avoid each other is not believed.
func (s lagSums) remaining(at int) float64 {
	n := len(s.y)
	before, after := s.sum[at]/float64(at), (s.sum[n]-s.sum[at])/float64(n-at)
	squares := s.squares[n] - float64(at)*before*before - float64(n-at)*after*after
	if squares <= 0 {
		return 0
	}
	lagged := s.about(0, at, before) + s.about(at, n, after) + (s.y[at]-after)*(s.y[at-1]-before)
	rho := lagged / squares
	rho += 2 * (1 + 3*rho) / float64(n)
	return min(max(rho, 0), maxRemaining)
}

// maxRemaining keeps a variance finite.
const maxRemaining = 0.9

// about is the sum of the products of neighbors among some values, each less their mean.
func (s lagSums) about(from, to int, mean float64) float64 {
	lagged := s.lagged[to] - s.lagged[from]
	if from > 0 {
		lagged -= s.y[from] * s.y[from-1]
	}
	sum := s.sum[to] - s.sum[from]
	return lagged - mean*(2*sum-s.y[from]-s.y[to-1]) + float64(to-from-1)*mean*mean
}
