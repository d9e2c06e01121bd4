package stat

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LinePoints is the minimum number of points of FitLine: two always fit a line, which shows nothing.
const LinePoints = 3

// An Estimate is a figure of a fit with the ends of its 95% interval.
type Estimate struct{ Value, Lo, Hi float64 }

// IsBounded reports whether the interval of a ratio has both ends. One of what has no number may reach from 0, or to +Inf.
func (e *Estimate) IsBounded() bool { return e.Lo > 0 && e.Value < math.Inf(1) && e.Hi < math.Inf(1) }

// A Line is Y = A + B·X.
type Line struct {
	A, B Estimate
	Misfit
	half Estimate
}

// FitLine finds the line with the least sum of squared relative distances from the trials: each distance counts as a
// part of its point's median, because times of batches of 1 and of 1,000 differ by more than an absolute distance
// could bear, and so do their errors.
//
// The intervals are those of weighted least squares, with Student's t. The variance is that of the trials around the
// line, or that of the points' means, if it is larger, with as many degrees of freedom as there are points less 2: so a
// line that does not fit has wide intervals, however well trials agree with each other. (N. R. Draper, H. Smith, Applied
// Regression Analysis, 3rd edition, sections 1.4, 2.1 and 9.2.) This takes errors for normal, and as large at each point.
// Where each point has PeakTrials trials, they are drawn again as for Scaling.Peak, which takes them for neither; each
// end is the one of the two that is further out.
func FitLine(points []Point) (Line, error) {
	points, err := checked(points, LinePoints)
	if err != nil {
		return Line{}, err
	}
	x, y, weights := weighted(points)
	a, b := stat.LinearRegression(x, y, weights, false)
	l := Line{A: Estimate{Value: a}, B: Estimate{Value: b}}
	variance, degrees := l.variance(points)
	l = l.widened(x, weights, variance, distuv.StudentsT{Sigma: 1, Nu: float64(degrees)}.Quantile(0.975))
	l.Misfit = misfit(points, l.At)
	return l.redrawn(points), nil
}

// redrawn widens the intervals to those by bootstrap over the trials of each point.
func (l Line) redrawn(points []Point) Line {
	if slices.ContainsFunc(points, func(p Point) bool { return len(p.Values) < PeakTrials }) {
		return l
	}
	random := rand.New(rand.NewPCG(0x6c696e, 0x65))
	var as, bs, halves []float64
	for range peakResamples {
		x, y, weights := weighted(redrawn(random, points))
		a, b := stat.LinearRegression(x, y, weights, false)
		as, bs = append(as, a), append(bs, b)
		if a > 0 && b > 0 {
			halves = append(halves, a/b)
		}
	}
	l.A.hold(as)
	l.B.hold(bs)
	if l.half.Value > 0 {
		l.half.hold(halves)
	}
	return l
}

// hold moves the ends out to the 2.5th and the 97.5th percentile of values.
func (e *Estimate) hold(values []float64) {
	slices.Sort(values)
	if tail := len(values) / 40; len(values) > 0 {
		e.Lo, e.Hi = min(e.Lo, values[tail]), max(e.Hi, values[len(values)-1-tail])
	}
}

// weighted are all trials, each with the weight of its point's median.
func weighted(points []Point) (x, y, weights []float64) {
	for _, p := range points {
		center := middle(p.Values)
		for _, value := range p.Values {
			x, y, weights = append(x, p.X), append(y, value), append(weights, 1/(center*center))
		}
	}
	return x, y, weights
}

// At returns A + B·x.
func (l Line) At(x float64) float64 { return l.A.Value + l.B.Value*x }

// Half is A/B: the X at which half of Y is A. Where Y is the time of a message with X operations, it is the batch at which
// half of the best rate, 1/B, is reached. False says that A or B can't be told from 0, so that there is none to speak of.
func (l Line) Half() (Estimate, bool) { return l.half, l.A.Lo > 0 && l.B.Lo > 0 }

// variance of a relative distance, and its degrees of freedom.
func (l Line) variance(points []Point) (variance float64, degrees int) {
	var ofTrials, ofPoints float64
	n := 0
	for _, p := range points {
		center, sum := middle(p.Values), 0.0
		for _, value := range p.Values {
			sum += value
			ofTrials += square((value - l.At(p.X)) / center)
		}
		trials := float64(len(p.Values))
		ofPoints += trials * square((sum/trials-l.At(p.X))/center)
		n += len(p.Values)
	}
	ofTrials /= float64(n - 2)
	ofPoints /= float64(len(points) - 2)
	if ofPoints > ofTrials {
		return ofPoints, len(points) - 2
	}
	return ofTrials, n - 2
}

// widened returns the line with the ends of all estimates; t is Student's quantile.
func (l Line) widened(x, weights []float64, variance, t float64) Line {
	center := stat.Mean(x, weights)
	var weight, spread float64
	for i := range x {
		weight += weights[i]
		spread += weights[i] * square(x[i]-center)
	}
	ofA, ofB := variance*(1/weight+center*center/spread), variance/spread
	together := -variance * center / spread
	l.A.widen(t * math.Sqrt(ofA))
	l.B.widen(t * math.Sqrt(ofB))
	a, b := l.A.Value, l.B.Value
	if a <= 0 || b <= 0 {
		return l
	}
	relative := ofA/(a*a) + ofB/(b*b) - 2*together/(a*b)
	l.half.Value = a / b
	l.half.widen(t * a / b * math.Sqrt(relative))
	l.half.Lo = max(l.half.Lo, 0)
	return l
}

func (e *Estimate) widen(by float64) { e.Lo, e.Hi = e.Value-by, e.Value+by }

func square(x float64) float64 { return x * x }
