package stat

import "math"

// StationaryTogether looks for a step or trend that most of several series have at the same part of their length, such as the
// trials of a row. It takes the median of the series at each place, each as a part of its own level, and finds in that what
// Stationary finds in one. A change that fewer than half of them have is not found. Noise falls nearly with the square root
// of their number: a median's deviation is up to a quarter larger than a mean's.
//
// If a series can't be judged, as it has too few values or a median that is not above 0, the answer is Unknown.
func StationaryTogether(all [][]float64) Finding {
	n := stationaryBlocks
	for _, series := range all {
		n = min(n, len(series))
	}
	if len(all) == 0 || n < StationaryIntervals {
		return Finding{Kind: Unknown, Tells: math.Inf(1)}
	}
	logs := make([][]float64, len(all))
	for i, series := range all {
		values := blocks(series, n)
		level := middle(values)
		if level <= 0 {
			return Finding{Kind: Unknown, Tells: math.Inf(1)}
		}
		logs[i] = winsorized(logarithms(values, level))
	}
	f := judged(middles(logs))
	f.At = f.At * len(all[0]) / n
	return f
}

// middles is the median of several series at each place.
func middles(all [][]float64) []float64 {
	found, column := make([]float64, len(all[0])), make([]float64, len(all))
	for at := range found {
		for i, series := range all {
			column[i] = series[at]
		}
		found[at] = middle(column)
	}
	return found
}

// spareTime is a safety factor for the proposed time, because Tells is itself an estimate.
const spareTime = 1.3

// Longer returns by which factor the length or number of series must grow for a step of stationaryTells to be significant, if
// noise falls with the square root of either. It returns false if Tells is infinite.
func (f Finding) Longer() (times float64, ok bool) {
	if math.IsInf(f.Tells, 1) {
		return 0, false
	}
	return spareTime * square(math.Log1p(f.Tells)/math.Log1p(stationaryTells)), true
}
