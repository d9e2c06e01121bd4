package compare

import (
	"slices"

	"rpcbench/internal/results/stat"
)

// A Mean is the geometric mean of a side's ratios to the base. Its interval is none, and Spread "", if Without says why.
type Mean struct {
	Side  string
	Lines int
	stat.Ratio

	OverOccasions bool // each side's geometric mean at one time is a value, of which some side has several
	Without       Without
}

// Without is why a mean has no interval.
type Without string

// Reasons.
const (
	WithoutMachine Without = "the machine changed"          // a line is MACHINE_CHANGED
	WithoutControl Without = "the machine may have changed" // a line is Masked
	WithoutTimes   Without = "not all files have all rows"  // so that the means of two times would be of different rows
)

func (t *Table) average(sides []Set) {
	for _, side := range sides {
		lines := slices.DeleteFunc(slices.Clone(t.Lines), func(l Line) bool { return l.Side != side.Name })
		noRatio := func(l Line) bool { return !l.HasRatio || !l.Ratio.IsBounded() }
		if len(lines) < 2 || slices.ContainsFunc(lines, noRatio) {
			continue
		}
		if mean, ok := meanOf(lines); ok {
			mean.Side, mean.Lines = side.Name, len(lines)
			t.Means = append(t.Means, mean)
		}
	}
}

// meanOf averages lines that have ratios. It tests as they were tested: over trials, or over the times at which they were
// measured, whose differences the lines share, so that more lines don't make them smaller.
func meanOf(lines []Line) (Mean, bool) {
	if slices.ContainsFunc(lines, func(l Line) bool { return len(l.figures[0].byOccasion())+len(l.figures[1].byOccasion()) > 2 }) {
		a, wholeA := occasionMeans(lines, 0)
		b, wholeB := occasionMeans(lines, 1)
		if !wholeA || !wholeB {
			return meanOfTrials(lines, WithoutTimes)
		}
		change := stat.CompareOccasions(a, b)
		return Mean{Ratio: change.Ratio, OverOccasions: true}, change.HasRatio
	}
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Machine != nil }) {
		return meanOfTrials(lines, WithoutMachine)
	}
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Masked != nil }) {
		return meanOfTrials(lines, WithoutControl)
	}
	return meanOfTrials(lines, "")
}

// meanOfTrials is the mean over all trials, without an interval if there is a reason.
func meanOfTrials(lines []Line, without Without) (Mean, bool) {
	pairs := make([]stat.Pair, len(lines))
	for i, line := range lines {
		pairs[i] = stat.Pair{A: line.figures[0].Values, B: line.figures[1].Values}
	}
	ratio, err := stat.GeoMean(pairs)
	if without != "" {
		ratio = stat.Ratio{Estimate: stat.Estimate{Value: ratio.Value}}
	}
	return Mean{Ratio: ratio, Without: without}, err == nil
}

// occasionMeans are the geometric means of the lines' medians at each time at which a side was measured, each the only value
// of its time. False says that not all lines were measured at all of them.
func occasionMeans(lines []Line, side int) (means [][]float64, whole bool) {
	times := lines[0].figures[side].times()
	medians := make([][]float64, len(times))
	for _, line := range lines {
		f := line.figures[side]
		if !slices.Equal(f.times(), times) {
			return nil, false
		}
		for i, values := range f.byOccasion() {
			medians[i] = append(medians[i], stat.Summarize(values).Median)
		}
	}
	for _, ofTime := range medians {
		means = append(means, []float64{stat.GeoMeanOf(ofTime)})
	}
	return means, true
}
