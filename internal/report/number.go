package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// absent stands for a figure that is not applicable or unknown, in a column where others have one.
const absent = "–"

// A scale is the unit that the figures of a column are shown in.
type scale struct {
	unit string
	by   float64 // what a figure is divided by
}

var (
	microseconds = scale{"µs", 1e3}
	milliseconds = scale{"ms", 1e6}
)

// timeScale chooses the unit for nanoseconds: milliseconds where half of the figures are that long.
func timeScale(ns []float64) scale {
	if len(ns) == 0 {
		return microseconds
	}
	sorted := slices.Sorted(slices.Values(ns))
	if sorted[(len(sorted)-1)/2] >= 1e6 {
		return milliseconds
	}
	return microseconds
}

// decimals returns how many decimals a column gets: as many as give its smallest figure three significant digits, but
// not more than its largest is worth.
func decimals(values []float64) int {
	least, most := math.Inf(1), 0.0
	for _, value := range values {
		if value > 0 {
			least, most = min(least, value), max(most, value)
		}
	}
	return min(significant(least), significant(most)+1)
}

// significant returns how many decimals give a figure three significant digits, three at most.
func significant(value float64) int {
	switch {
	case value >= 100:
		return 0
	case value >= 10:
		return 1
	case value >= 1:
		return 2
	default:
		return 3
	}
}

// lone returns how many decimals give a figure three digits that stands by itself, where no column's other figures
// cost it its own: 1,234, 12.3, 0.00123.
func lone(value float64) int {
	decimals := significant(value)
	for limit := 0.1; value > 0 && value < limit && decimals < 9; limit /= 10 {
		decimals++
	}
	return decimals
}

// grouped prints a figure with thousands separators.
func grouped(value float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// whole prints a count.
func whole(n int64) string { return analysis.Grouped(n) }

// plural returns "1 processor", "2 processors".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return whole(n) + " " + noun + "s"
}

// between prints a spread, "" for a single trial, which has none.
func between(s stat.Summary, by float64, decimals int) string {
	if s.N < 2 {
		return ""
	}
	return grouped(s.Lo/by, decimals) + "–" + grouped(s.Hi/by, decimals)
}

// size prints a number of bytes exactly, in the largest unit that it is a whole number of: 1 kB, 64 KiB, 1,500 B.
func size(bytes int) string {
	for _, unit := range []struct {
		bytes int
		name  string
	}{{1 << 20, "MiB"}, {1_000_000, "MB"}, {1 << 10, "KiB"}, {1000, "kB"}} {
		if bytes > 0 && bytes%unit.bytes == 0 {
			return grouped(float64(bytes/unit.bytes), 0) + " " + unit.name
		}
	}
	return grouped(float64(bytes), 0) + " B"
}
