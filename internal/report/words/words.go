// Package words writes numbers, durations and commands in sentences for people.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/results/analysis"
)

// Count is a number of things: "1 trial", "3 trials".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// About rounds a duration to what a reader wants to know of it.
func About(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	default:
		return d.Round(time.Minute).String()
	}
}

// Duration prints nanoseconds with three digits, in the unit that a reader wants.
func Duration(ns float64) string {
	for _, unit := range []struct {
		ns   float64
		name string
	}{{1e9, " s"}, {1e6, " ms"}} {
		if ns >= unit.ns {
			return digits(ns/unit.ns) + unit.name
		}
	}
	return digits(ns/1e3) + " µs"
}

// PerSec prints a rate with three digits at least, and separators of thousands.
func PerSec(rate float64) string {
	if rate < 100 {
		return digits(rate)
	}
	return analysis.Grouped(int64(math.Round(rate)))
}

// digits prints three of them, and all before the point.
func digits(value float64) string {
	decimals := 2
	for limit := 10.0; value >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(value, 'f', decimals, 64)
}

// Shell quotes a word of a command that a shell would not leave as it is.
func Shell(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./:=,@%+", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
