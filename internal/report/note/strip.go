package note

import (
	"fmt"
	"slices"

	"rpcbench/internal/results/analysis"
)

// bars are the marks of a strip, from the smallest figure to the largest.
var bars = []rune("▁▂▃▄▅▆▇█")

// stripNote shows the headline of every trial of a row, in the order in which they were measured.
func stripNote(r *analysis.Row) string {
	return fmt.Sprintf("%s of each trial, in order: %s", r.Headline().Declare().Name, Strip(r))
}

// Strip has a mark for the headline of every trial of a row, in the order in which they were measured.
func Strip(r *analysis.Row) string {
	d := r.Headline().Declare()
	var values []float64
	for _, trial := range r.Trials {
		if value, ok := trial.Value(d.Metric); ok {
			values = append(values, value)
		}
	}
	return strip(values)
}

// strip has a mark for each value. They reach from the smallest to the largest, and of values that are alike they are one height.
func strip(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	least, most := slices.Min(values), slices.Max(values)
	marks := make([]rune, len(values))
	for i, value := range values {
		place := 0.0
		if most > least {
			place = (value - least) / (most - least)
		}
		marks[i] = bars[min(int(place*float64(len(bars))), len(bars)-1)]
	}
	return string(marks)
}
