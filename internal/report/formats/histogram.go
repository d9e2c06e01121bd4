package formats

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// bucketsMax is the maximum number of buckets in a histogram. The last one has no upper bound.
const bucketsMax = 17

// WriteHistogram prints a histogram of nanoseconds as Vanadium's benchmarks do: at most 17 buckets that grow from the
// smallest value to the largest, one '#' for every 10% of the samples. A name that is not empty stands in the first
// line. Lines have no blanks at their ends.
//
// Min, Max and Avg have the fractions that Vanadium cuts off before it computes them; they are as exact as h is.
func WriteHistogram(w io.Writer, name string, h *hdrhistogram.Histogram) error {
	out := &printer{w: w}
	if name != "" {
		name = ": " + name
	}
	if h == nil || h.TotalCount() == 0 {
		out.printf("Histogram (empty)%s\n", name)
		return out.err
	}
	b := newBuckets(h)
	out.printf("Histogram (unit: %s)%s\n", b.unit.name, name)
	out.printf("Count: %d  Min: %s  Max: %s  Avg: %.2f\n", b.total, inUnit(b.least), inUnit(b.most), b.sum/float64(b.total))
	out.printf("%s\n", strings.Repeat("-", 60))
	b.write(out)
	return out.err
}

// A histogramUnit is the unit in which a histogram is printed.
type histogramUnit struct {
	name string
	ns   int64
}

var histogramUnits = []histogramUnit{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}

// histogramUnitOf returns the largest unit that the least value is more than one of.
func histogramUnitOf(leastNs int64) histogramUnit {
	i := slices.IndexFunc(histogramUnits, func(u histogramUnit) bool { return leastNs > u.ns })
	if i < 0 {
		return histogramUnits[len(histogramUnits)-1]
	}
	return histogramUnits[i]
}

// of turns nanoseconds into the unit.
func (u histogramUnit) of(ns int64) float64 { return float64(ns) / float64(u.ns) }

// buckets are a histogram ready to be printed. All values are in the unit.
type buckets struct {
	unit        histogramUnit
	lows        []int64
	counts      []int64 // of the buckets that begin at lows
	total       int64
	sum         float64
	least, most float64
}

// newBuckets sorts the samples of a histogram that has some into buckets.
func newBuckets(h *hdrhistogram.Histogram) *buckets {
	bars := slices.DeleteFunc(h.Distribution(), func(bar hdrhistogram.Bar) bool { return bar.Count == 0 })
	least, most := roundest(bars[0]), roundest(bars[len(bars)-1])
	unit := histogramUnitOf(least)
	b := &buckets{unit: unit, least: unit.of(least), most: unit.of(most), lows: bucketLows(least/unit.ns, most/unit.ns)}
	b.counts = make([]int64, len(b.lows))
	for _, bar := range bars {
		value := roundest(bar)
		next := sort.Search(len(b.lows), func(i int) bool { return b.lows[i] > value/unit.ns })
		b.counts[next-1] += bar.Count
		b.total += bar.Count
		b.sum += unit.of(value) * float64(bar.Count)
	}
	return b
}

// bucketLows returns the lower bounds of the buckets for values from least to most. A bucket is (most-least)^(1/15)
// times as wide as the one before, whole numbers only, so that the last ones often lie beyond most. There is no bucket
// more than there are whole values.
//
// This is the algorithm of Vanadium's test/benchmark/stats.go and lib/stats/histogram, found again from its printouts.
func bucketLows(least, most int64) []int64 {
	growth := math.Pow(float64(most-least), 1/float64(bucketsMax-2))
	lows := []int64{least}
	for width := 1.0; int64(len(lows)) < min(bucketsMax, most-least+1); width *= growth {
		lows = append(lows, lows[len(lows)-1]+int64(width))
	}
	return lows
}

// roundest returns the number with the fewest digits among those that the histogram can't distinguish. It thus restores values
// recorded with three digits: 7 ms, which HdrHistogram keeps as 6.995968 to 7.000063 ms.
func roundest(bar hdrhistogram.Bar) int64 {
	middle := bar.From + (bar.To-bar.From)/2
	for step := int64(1e12); step > 1; step /= 10 {
		if value := (middle + step/2) / step * step; bar.From <= value && value <= bar.To {
			return value
		}
	}
	return middle
}

func (b *buckets) write(out *printer) {
	width := max(3, digits(b.lows[len(b.lows)-1]))
	percent := 100 / float64(b.total)
	var below int64
	for i, n := range b.counts {
		high := "inf"
		if i+1 < len(b.lows) {
			high = strconv.FormatInt(b.lows[i+1], 10)
		}
		below += n
		line := fmt.Sprintf("[%*d, %*s)  %*d  %5.1f%%  %5.1f%%", width, b.lows[i], width, high, digits(b.total), n,
			float64(n)*percent, float64(below)*percent)
		if bar := int(float64(n)*percent*0.1 + 0.5); bar > 0 {
			line += "  " + strings.Repeat("#", bar)
		}
		out.printf("%s\n", line)
	}
}

func digits(n int64) int { return len(strconv.FormatInt(n, 10)) }

// inUnit prints a value with two decimals, or none where it is whole.
func inUnit(value float64) string {
	if value == math.Trunc(value) {
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'f', 2, 64)
}

// writeHistograms prints the response of each row.
func writeHistograms(w io.Writer, r *analysis.Report) error {
	for i, row := range r.Rows {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		merged, err := row.Merged(result.HistResponse)
		if err != nil {
			return err
		}
		bounds, err := lowerBounds(row)
		if err != nil {
			return err
		}
		if err := WriteHistogram(w, histogramName(row)+bounds, merged); err != nil {
			return err
		}
	}
	return nil
}

// histogramName names a row and the content of its histogram.
func histogramName(row *analysis.Row) string {
	name := goName(row)
	if len(row.Trials) > 1 {
		name += fmt.Sprintf(", %d trials together", len(row.Trials))
	}
	if verdict := row.Verdict(); verdict != analysis.VerdictOK {
		name += ", " + verdict
	}
	return name
}
