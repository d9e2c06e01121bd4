package number

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Unit is the unit of a stored figure.
type Unit string

// Units. Rates, ratios and counts have none; their names say what they are.
const (
	None        Unit = ""
	Nanoseconds Unit = "ns"
	Bytes       Unit = "B"
	Joules      Unit = "J"
)

// A Scale is a unit that figures are printed in.
type Scale struct {
	Name string
	By   float64 // what a figure is divided by
}

// scales lists each unit's scales, from the smallest.
var scales = map[Unit][]Scale{
	None:        {{"", 1}},
	Nanoseconds: {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}},
	Bytes:       {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}},
	Joules:      {{"nJ", 1e-9}, {"µJ", 1e-6}, {"mJ", 1e-3}, {"J", 1}},
}

// Parse reads a figure in one of the unit's scales: "250µs", "1.5 s", "2kB", "1000/s". A time must name its scale.
func (u Unit) Parse(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	switch number, micro := strings.CutSuffix(text, "us"); {
	case u == None:
		text = strings.TrimSuffix(text, "/s")
	case u == Nanoseconds && micro:
		text = number + "µs"
	}
	for _, scale := range scales[u] {
		number, named := strings.CutSuffix(text, scale.Name)
		if value, isNumber := Finite(number); named && isNumber {
			return value * scale.By, true
		}
	}
	value, isNumber := Finite(text)
	return value, isNumber && u != Nanoseconds
}

// Finite reads a number. NaN and infinities, which strconv.ParseFloat takes, are none: every bound made of NaN is kept by all.
func Finite(text string) (value float64, ok bool) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return value, err == nil && !math.IsNaN(value) && !math.IsInf(value, 0)
}

// ParsePercent reads a percentage, without its sign, as the part that is nearest to it: 0.9% is 0.009, as 9/1000 is, and as 0.9
// divided by 100 is not.
func ParsePercent(text string) (part float64, ok bool) {
	if part, ok = Finite(strings.TrimSpace(text) + "e-2"); ok {
		return part, ok
	}
	value, ok := Finite(text) // which has an exponent already
	return value / 100, ok
}

// Scale returns the largest scale of which a figure has at least one, the smallest if it has none.
func (u Unit) Scale(value float64) Scale {
	for _, scale := range slices.Backward(scales[u]) {
		if math.Abs(value) >= scale.By {
			return scale
		}
	}
	return scales[u][0]
}

// Common returns the scale that suits half of the figures of a table, the smallest if there are none.
func (u Unit) Common(values []float64) Scale {
	if len(values) == 0 {
		return scales[u][0]
	}
	sorted := slices.Sorted(slices.Values(values))
	return u.Scale(sorted[(len(sorted)-1)/2])
}

// Format prints each figure by itself, with three significant digits in a scale that fits.
func (u Unit) Format() Format { return Format{Each: true, Unit: u, Decimals: DecimalsMost} }

// Text prints a figure: "1.50 s", "78.6 ms" and, without a unit, "21,400".
func (u Unit) Text(value float64) string { return u.Format().Text(value) }

// Duration prints nanoseconds.
func Duration(ns float64) string { return Nanoseconds.Text(ns) }
