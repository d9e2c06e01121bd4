package stat

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// ScalingPoints is how many different numbers of callers FitScaling needs: one more than the law has parameters.
const ScalingPoints = 4

// proportional is how much of ideal growth the most callers may keep at most for a limit to be visible: nearer to it, the
// parameters would be made of noise.
const proportional = 0.95

// Scaling is the universal scalability law: N callers have the rate λN / (1 + σ(N−1) + κN(N−1)), where σ is what they wait
// for each other and κ what each pair of them costs to agree. (N. J. Gunther, Guerrilla Capacity Planning, 2007, chapter 5.)
type Scaling struct {
	Lambda float64 // the rate of one caller
	Sigma  float64 // at least 0
	Kappa  float64 // at least 0
	Misfit
}

// FitScaling fits the law to rates over numbers of callers, which are at least 1. The law is turned over, N/X =
// (1 + σ(N−1) + κN(N−1))/λ, which is linear in 1/λ, σ/λ and κ/λ, and fitted by least squares of distances relative to each
// point's median: to first order these are the relative distances of the rate itself. Parameters below 0 have no meaning,
// so of the fits without some of them the best takes their place.
//
// An error says in words why the points don't support a fit: there are too few, or the rate shows no limit.
func FitScaling(points []Point) (Scaling, error) {
	points, err := checked(points, ScalingPoints)
	if err != nil {
		return Scaling{}, err
	}
	if points[0].X < 1 {
		return Scaling{}, fmt.Errorf("%v callers are fewer than 1", points[0].X)
	}
	s, ok := leastSquares(points)
	if !ok {
		return Scaling{}, errors.New("the rate does not follow the law")
	}
	most := points[len(points)-1].X
	if s.Rate(most) > proportional*s.Lambda*most {
		return Scaling{}, fmt.Errorf("the rate still grows in proportion at %v callers, so no limit is visible", most)
	}
	s.Misfit = misfit(points, s.Rate)
	return s, nil
}

// Rate returns the law's rate of n callers.
func (s Scaling) Rate(n float64) float64 {
	return s.Lambda * n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1))
}

// Peak is the number of callers with the highest rate, sqrt((1−σ)/κ), at least 1. False says that the law has none: the
// rate nears λ/σ.
func (s Scaling) Peak() (callers float64, ok bool) {
	if s.Kappa == 0 {
		return 0, false
	}
	return math.Sqrt(max((1-s.Sigma)/s.Kappa, 1)), true
}

// callersMax bounds the search of StopsPaying.
const callersMax = 1 << 20

// StopsPaying is the least number of callers whose doubling adds less than gain to the rate, 0.1 being a tenth. False
// says that it is beyond all measure.
func (s Scaling) StopsPaying(gain float64) (callers int, ok bool) {
	n := 1 + sort.Search(callersMax, func(i int) bool {
		n := float64(i + 1)
		return s.Rate(2*n) < (1+gain)*s.Rate(n)
	})
	return n, n <= callersMax
}

// subsets are the parameters beside 1/λ that a fit may have, all of them first.
var subsets = [][]int{{1, 2}, {1}, {2}, {}}

// leastSquares returns the best fit whose parameters are not negative.
func leastSquares(points []Point) (best Scaling, ok bool) {
	least := math.Inf(1)
	for _, subset := range subsets {
		p, rest, solved := solve(points, append([]int{0}, subset...))
		if !solved || p[0] <= 0 || p[1] < 0 || p[2] < 0 || rest >= least {
			continue
		}
		least, ok = rest, true
		best = Scaling{Lambda: 1 / p[0], Sigma: p[1] / p[0], Kappa: p[2] / p[0]}
	}
	return best, ok
}

// solve fits some of the three parameters, the others being 0, and returns the sum of squares that is left.
func solve(points []Point, some []int) (p [3]float64, rest float64, ok bool) {
	var rows, wanted []float64
	for _, point := range points {
		n, middle := point.X, Summarize(point.Values).Median
		terms := [3]float64{1, n - 1, n * (n - 1)}
		for _, rate := range point.Values {
			for _, i := range some {
				rows = append(rows, terms[i]*middle/n)
			}
			wanted = append(wanted, middle/rate)
		}
	}
	a, b := mat.NewDense(len(wanted), len(some), rows), mat.NewVecDense(len(wanted), wanted)
	var found, left mat.VecDense
	if err := found.SolveVec(a, b); err != nil {
		return p, 0, false
	}
	left.MulVec(a, &found)
	left.SubVec(&left, b)
	for i, parameter := range some {
		p[parameter] = found.AtVec(i)
	}
	return p, mat.Dot(&left, &left), true
}
