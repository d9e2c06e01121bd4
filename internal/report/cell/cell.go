// Package cell prints one figure: for people as a cell of a table with its spread, for programs as a value with as many digits
// as its metric is declared with.
package cell

import (
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/stat"
)

// Absent is printed for a figure that is unknown or not applicable, in a column where other rows have one.
const Absent = "–"

// Of prints a figure with its spread, if that is asked for; nil is absent.
func Of(s *stat.Summary, printed number.Format, spread bool) document.Cell {
	switch {
	case s == nil:
		return document.Cell{Text: Absent}
	case spread:
		return document.Cell{Text: printed.Cell(s.Median), Spread: Between(*s, printed)}
	default:
		return document.Cell{Text: printed.Cell(s.Median)}
	}
}

// Between prints a spread as its median is printed, "" for a single trial, which has none.
func Between(s stat.Summary, printed number.Format) string {
	if s.N < 2 {
		return ""
	}
	alike := printed.At(s.Median)
	return alike.Bare(s.Lo) + "–" + alike.Bare(s.Hi)
}
