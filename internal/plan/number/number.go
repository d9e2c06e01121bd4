// Package number prints numbers for readers: in a suitable unit, with the significant digits, and grouped by thousands.
package number

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// integer is any type that counts.
type integer interface{ ~int | ~int32 | ~int64 }

// Count is a number of things: "1 trial", "1,500 trials".
func Count[N integer](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}

// Verb picks the form of the verb that follows a Count: "1 trial was", "2 trials were".
func Verb[N integer](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Whole prints an integer: "1,500".
func Whole[N integer](n N) string { return apart(strconv.FormatInt(int64(n), 10)) }

// Grouped prints a number with some decimals: "1,234.5".
func Grouped(value float64, decimals int) string {
	whole, fraction, cut := strings.Cut(strconv.FormatFloat(value, 'f', decimals, 64), ".")
	if cut {
		return apart(whole) + "." + fraction
	}
	return apart(whole)
}

// apart puts commas between thousands.
func apart(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Decimals returns the number of decimals that gives a number three significant digits, or 0 if more digits precede the point.
func Decimals(value float64) int {
	value, decimals := math.Abs(value), 2
	if value == 0 {
		return 0
	}
	for limit := 10.0; value >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	for limit := 1.0; value < limit && decimals < DecimalsMost; limit /= 10 {
		decimals++
	}
	return decimals
}

// Short prints a number with six significant digits at most, and no zeros at its end: "0.25", "1500000".
func Short(value float64) string {
	text := strconv.FormatFloat(value, 'g', 6, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text // of infinities, which no figure is
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Percent prints a part of a whole, 0 to 1, with some decimals: "12.5%".
func Percent(part float64, decimals int) string { return Grouped(100*part, decimals) + "%" }

// Bound prints a part of a whole that somebody has chosen, 0 to 1, with its own decimals: "5%", "0.5%".
func Bound(part float64) string { return Short(100*part) + "%" }

// Share is a part of all in percent. Only nothing is printed as 0%, and only all as 100%.
func Share(part, all int64) string {
	share := float64(part) / float64(all)
	switch {
	case part > 0 && share < 1e-4:
		return "< 0.01%"
	case part < all && share > 1-1e-4:
		return "> 99.99%"
	default:
		return Percent(share, 2)
	}
}

// Unbounded is printed for what has no end, such as a percentile that lies among failed calls.
const Unbounded = "∞"

// Signed prints a difference with its sign and one decimal: "+3.1", "-1,234.5", or Unbounded.
func Signed(x float64) string {
	if math.IsInf(x, 1) {
		return Unbounded
	}
	if text := Grouped(x, 1); text[0] == '-' {
		return text
	}
	return "+" + Grouped(x, 1)
}

// Change prints the difference of a ratio from 1 in percent: "+3.1%", "-0.0%" where it is below 1, or Unbounded.
func Change(ratio float64) string {
	if math.IsInf(ratio, 1) {
		return Unbounded
	}
	return Signed(100*(ratio-1)) + "%"
}

// Size prints a number of bytes exactly, in the largest unit that it is a whole number of: "1 kB", "64 KiB", "1,500 B".
func Size(bytes int) string {
	for _, unit := range []struct {
		bytes int
		name  string
	}{{1 << 20, "MiB"}, {1_000_000, "MB"}, {1 << 10, "KiB"}, {1000, "kB"}} {
		if bytes > 0 && bytes%unit.bytes == 0 {
			return Whole(bytes/unit.bytes) + " " + unit.name
		}
	}
	return Whole(bytes) + " B"
}

// About rounds a waiting time: "2.5s", "1m40s", "3h20m".
func About(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d < time.Hour:
		return Span(d.Round(time.Second))
	default:
		return Span(d.Round(time.Minute))
	}
}

// Span prints a duration exactly, without units of which there are none: "10s", "5m", "1h30m".
func Span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
