package cell

import (
	"math"
	"strconv"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
)

// A Decimal is printed with three decimals.
type Decimal float64

func (d Decimal) String() string { return strconv.FormatFloat(float64(d), 'f', 3, 64) }

// MarshalJSON prints the same digits.
func (d Decimal) MarshalJSON() ([]byte, error) { return jsonNumber(float64(d), d.String()), nil }

// A ShortNumber is printed with six significant digits, more than any figure is worth, however small it is.
type ShortNumber float64

func (n ShortNumber) String() string { return number.Short(float64(n)) }

// MarshalJSON prints the same digits, and no exponent.
func (n ShortNumber) MarshalJSON() ([]byte, error) { return jsonNumber(float64(n), n.String()), nil }

// jsonNumber is the digits of a value, or null, as JSON has no number that is not finite.
func jsonNumber(value float64, digits string) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return []byte("null")
	}
	return []byte(digits)
}

// Exact rounds a value as its metric is declared.
func Exact(m analysis.Metric, value float64) any {
	switch m.Declare().Kind.Precision() {
	case analysis.Whole:
		return int64(math.Round(value))
	case analysis.Significant6:
		return ShortNumber(value)
	default:
		return Decimal(value)
	}
}

// Present is a text, or nil for an empty one.
func Present(text string) any {
	if text == "" {
		return nil
	}
	return text
}
