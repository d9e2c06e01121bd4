package number

import "math"

// A Format is how the figures of a column are printed.
type Format struct {
	Scale    Scale
	Decimals int  // of all figures; with Each, at most
	Each     bool // each figure has three significant digits of its own
	Unit     Unit // with Each and no Scale: each has a scale of its own too
}

// At returns the format of one figure, by which others can be printed like it: the ends of its spread.
func (f Format) At(value float64) Format {
	if !f.Each {
		return f
	}
	scale := f.Scale
	if scale.By == 0 {
		scale = f.Unit.Scale(value)
	}
	return Format{Scale: scale, Decimals: min(Decimals(value/scale.By), f.Decimals)}
}

// Bare prints a figure without its unit. One that its decimals would print as 0 has two significant digits.
func (f Format) Bare(value float64) string {
	f = f.At(value)
	value /= f.Scale.By
	decimals := f.Decimals
	if value != 0 && math.Abs(value) < math.Pow10(-decimals)/2 {
		decimals = Decimals(value) - 1
	}
	return Grouped(value, decimals)
}

// Text prints a figure, and its unit behind it.
func (f Format) Text(value float64) string {
	f = f.At(value)
	if f.Scale.Name == "" {
		return f.Bare(value)
	}
	return f.Bare(value) + " " + f.Scale.Name
}

// Cell prints a figure for a column whose head names the Scale that all figures have.
func (f Format) Cell(value float64) string {
	if f.Each {
		return f.Text(value)
	}
	return f.Bare(value)
}

// Fixed returns the format that suits all figures of a column in one scale: as many decimals as give the smallest figure three
// significant digits, but not more than the largest is worth.
func Fixed(scale Scale, values []float64) Format {
	least, most := math.Inf(1), 0.0
	for _, value := range values {
		if value > 0 {
			least, most = min(least, value), max(most, value)
		}
	}
	few := func(value float64) int { return min(Decimals(value/scale.By), decimalsOfColumn) }
	return Format{Scale: scale, Decimals: min(few(least), few(most)+1)}
}

// Decimals at most, of a figure by itself, and of one that shares them with a column.
const (
	DecimalsMost     = 9
	decimalsOfColumn = 3
)
