package stat

import (
	"fmt"
	"math"
	"slices"
)

// A Point is what trials measured at one setting: one value for each.
type Point struct {
	X      float64
	Values []float64
}

// Tolerance is how far a median may lie from a fitted curve, as a fraction of the median, before the curve is called wrong: it is
// about what a well-behaved stack leaves unexplained.
const Tolerance = 0.10

// A Misfit is the point that is furthest from a curve, of those whose median's interval does not hold it.
type Misfit struct {
	X        float64
	Relative float64 // the median less the curve, as a part of the median; 0 where no point is off
}

// Fits reports whether the curve keeps within Tolerance of every point.
func (m Misfit) Fits() bool { return math.Abs(m.Relative) <= Tolerance }

// misfit looks for the point that is furthest off.
func misfit(points []Point, curve func(x float64) float64) Misfit {
	var worst Misfit
	for _, p := range points {
		s, fitted := Summarize(p.Values), curve(p.X)
		if s.N > 1 && s.Lo <= fitted && fitted <= s.Hi { // the range of many trials would hold any curve
			continue
		}
		if off := (s.Median - fitted) / s.Median; math.Abs(off) > math.Abs(worst.Relative) {
			worst = Misfit{X: p.X, Relative: off}
		}
	}
	return worst
}

// checked sorts points, joins those with one X, and refuses fewer than least of them and values without a relative distance.
func checked(points []Point, least int) ([]Point, error) {
	var merged []Point
	for _, p := range points {
		for _, value := range p.Values {
			if math.IsInf(value, 0) || !(value > 0) {
				return nil, fmt.Errorf("%v at %v is not above 0", value, p.X)
			}
		}
		i := slices.IndexFunc(merged, func(m Point) bool { return m.X == p.X })
		switch {
		case len(p.Values) == 0:
		case i < 0:
			merged = append(merged, Point{X: p.X, Values: slices.Clone(p.Values)})
		default:
			merged[i].Values = append(merged[i].Values, p.Values...)
		}
	}
	if len(merged) < least {
		return nil, fmt.Errorf("%d points are too few: a fit needs at least %d", len(merged), least)
	}
	slices.SortFunc(merged, func(a, b Point) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		default:
			return 0
		}
	})
	return merged, nil
}
