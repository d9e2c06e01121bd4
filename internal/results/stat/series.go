package stat

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// blocks cuts a series into neighboring runs, of the same length or one more, and returns their means: most of them, or as
// many as there are values. Run i begins at i·len(series)/len(blocks). A mean keeps what a run counted; what stands out of
// line stays in one block.
func blocks(series []float64, most int) []float64 {
	n := min(len(series), most)
	means := make([]float64, n)
	for i := range means {
		means[i] = stat.Mean(series[i*len(series)/n:(i+1)*len(series)/n], nil)
	}
	return means
}

// inOrder returns the values in order, and leaves theirs alone. (slices.Sorted grows as it collects, which took longer than
// sorting.)
func inOrder(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted
}

// middle is the median of values in any order.
func middle(values []float64) float64 { return median(inOrder(values)) }

// senSlope is the median of the slopes between all pairs of values, per step: a slope that a few values out of line don't
// bend. (P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical
// Association 63, 1968.) It needs two values.
func senSlope(values []float64) float64 {
	slopes := make([]float64, 0, len(values)*(len(values)-1)/2)
	for i := range values {
		for j := i + 1; j < len(values); j++ {
			slopes = append(slopes, (values[j]-values[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return median(slopes)
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }
