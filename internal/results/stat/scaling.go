package stat

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// ScalingPoints is the minimum number of different numbers of callers of FitScaling: one more than the law has parameters.
const ScalingPoints = 4

// proportional is the maximum fraction of ideal growth at which the highest number of callers still shows a limit: closer to it,
// the parameters would be noise.
const proportional = 0.95

// Scaling is the universal scalability law: N callers have the rate λN / (1 + σ(N−1) + κN(N−1)), where σ is contention and κ the
// cost of agreement between each pair. (N. J. Gunther, Guerrilla Capacity Planning, 2007, chapter 5.)
type Scaling struct {
	Lambda float64 // the rate of one caller
	Sigma  float64 // at least 0
	Kappa  float64 // at least 0
	Misfit
	peak Estimate // of the callers with the highest rate; its Hi is +Inf where a law without a peak is as good
}

// PeakTrials is the minimum number of trials at each point for a peak: fewer say too little about their spread.
const PeakTrials = 3

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
	s.peak = peakOf(points, s)
	return s, nil
}

// Rate returns the law's rate of n callers.
func (s Scaling) Rate(n float64) float64 {
	return s.Lambda * n / (1 + s.Sigma*(n-1) + s.Kappa*n*(n-1))
}

// Peak returns the number of callers with the highest rate, with its 95% interval. It returns false if there are fewer than
// PeakTrials trials at a point, or if the interval contains infinity, which means that a law whose rate approaches λ/σ fits as
// well.
func (s Scaling) Peak() (callers Estimate, ok bool) {
	return s.peak, s.peak.Value > 0 && !math.IsInf(s.peak.Hi, 1)
}

// top is the number of callers with the highest rate of the law, sqrt((1−σ)/κ), at least 1; +Inf where it has none.
func (s Scaling) top() float64 {
	if s.Kappa == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(max((1-s.Sigma)/s.Kappa, 1))
}

// peakResamples is the number of resamples for a peak: the ends are the 10th and the 390th value.
const peakResamples = 399

// peakOf draws the trials of each point again, with replacement, fits the law anew, and takes percentiles of the peak. (B.
// Efron, R. J. Tibshirani, An Introduction to the Bootstrap, sections 9.5 and 13.3: pairs, within each point.) The seed is fixed.
func peakOf(points []Point, s Scaling) Estimate {
	for _, p := range points {
		if len(p.Values) < PeakTrials {
			return Estimate{}
		}
	}
	random := rand.New(rand.NewPCG(0x70656b, 0x75736c))
	tops := make([]float64, 0, peakResamples)
	for range peakResamples {
		if again, ok := leastSquares(redrawn(random, points)); ok {
			tops = append(tops, again.top())
		}
	}
	if len(tops) == 0 {
		return Estimate{}
	}
	slices.Sort(tops)
	tail := len(tops) / 40
	return Estimate{Value: s.top(), Lo: tops[tail], Hi: tops[len(tops)-1-tail]}
}

// redrawn resamples the trials at each point. So few vary less than their source, by sqrt((n−1)/n), and are spread from their
// mean by as much. (Efron and Tibshirani, section 5.)
func redrawn(random *rand.Rand, points []Point) []Point {
	again := make([]Point, len(points))
	for i, p := range points {
		n := len(p.Values)
		center, wider := mean(p.Values), math.Sqrt(float64(n)/float64(n-1))
		again[i] = Point{X: p.X, Values: make([]float64, n)}
		for j := range n {
			drawn := center + wider*(p.Values[random.IntN(n)]-center)
			again[i].Values[j] = max(drawn, p.Values[0]*1e-3)
		}
	}
	return again
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

// subsets lists the parameters besides 1/λ that a fit may have, all of them first.
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
		n, center := point.X, middle(point.Values)
		terms := [3]float64{1, n - 1, n * (n - 1)}
		for _, rate := range point.Values {
			for _, i := range some {
				rows = append(rows, terms[i]*center/n)
			}
			wanted = append(wanted, center/rate)
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
