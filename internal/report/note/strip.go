package note

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
)

// bars are the marks of a strip, from the smallest figure to the largest.
var bars = []rune("▁▂▃▄▅▆▇█")

// Strips show the headline of every trial of rows whose trials differ, in the order in which they were measured, with the rows'
// names, which may be empty: a line for each headline.
func Strips(rows []*analysis.Row, name func(i int) string) []string {
	var heads []string
	strips := map[string][]string{}
	for i, r := range rows {
		if !r.Unstable() {
			continue
		}
		head := r.Headline().Declare().Name
		if strips[head] == nil {
			heads = append(heads, head)
		}
		strips[head] = append(strips[head], strings.TrimSpace(name(i)+" "+Strip(r)))
	}
	var lines []string
	for _, head := range heads {
		lines = append(lines, fmt.Sprintf("%s of each trial, in order: %s", head, strings.Join(strips[head], "; ")))
	}
	return lines
}

// StripOf is that of one row.
func StripOf(r *analysis.Row) []string {
	return Strips([]*analysis.Row{r}, func(int) string { return "" })
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
