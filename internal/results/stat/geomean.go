package stat

import (
	"errors"
	"fmt"
	"math"
)

// GeoMean is the geometric mean of the ratios of medians B/A of several rows: the only mean of ratios that does not depend
// on which side is called A. (P. Fleming, J. Wallace, How not to lie with statistics: the correct way to summarize
// benchmark results, Communications of the ACM 29, 1986.)
//
// Its interval is of these rows measured again: trials are drawn again within each row, rows are not, because nobody drew
// them from anything. So it says nothing of rows that were not measured. With fewer than ConfidenceTrials on any side the
// ends are the geometric means of the rows' least and largest ratios, and Spread says so.
//
// It is an error to have no row, a side without trials or a value that is not above 0.
func GeoMean(rows []Pair) (Ratio, error) {
	if len(rows) == 0 {
		return Ratio{}, errors.New("a geometric mean of no ratios")
	}
	for i, row := range rows {
		for _, side := range [][]float64{row.A, row.B} {
			if len(side) == 0 {
				return Ratio{}, fmt.Errorf("row %d has a side without trials", i)
			}
			for _, value := range side {
				if math.IsInf(value, 0) || !(value > 0) {
					return Ratio{}, fmt.Errorf("%v in row %d is not above 0", value, i)
				}
			}
		}
	}
	return ratioOf(rows), nil
}

// GeoMeanOf is the geometric mean of values above 0, of which there is at least one.
func GeoMeanOf(values []float64) float64 { return math.Exp(mean(logsOf(values))) }
