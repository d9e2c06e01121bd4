package selftest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/texttable"
)

// Write prints the report for people: a line for each figure, the machine's floor, and what to think of both.
func (r Report) Write(w io.Writer) error {
	figures := texttable.New("  ", "stack", "load", "server", "figure", "true", "reported", "off by", "within", "")
	for _, l := range r.Lines {
		figures.AppendRow(l.row())
	}
	texttable.AlignRight(figures, 5, 6, 7, 8)
	bottom := texttable.New("  ", "this machine", "", "meaning")
	for _, row := range floorRows(r.Floor) {
		bottom.AppendRow(row)
	}
	texttable.AlignRight(bottom, 2)
	var errs []error
	for _, part := range []string{texttable.Render(figures), r.reasons(), texttable.Render(bottom), r.judgement()} {
		if part != "" {
			_, err := fmt.Fprintf(w, "%s\n\n", part)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (l Line) row() table.Row {
	verdict := "FAILED"
	switch {
	case l.OK():
		verdict = "ok"
	case l.Inconclusive():
		verdict = "inconclusive"
	}
	if l.Failure != "" {
		return table.Row{l.Stack, l.Load, l.Server, l.Figure, "–", "–", "–", percent(l.Tolerance), verdict}
	}
	return table.Row{
		l.Stack, l.Load, l.Server, l.Figure, l.Unit.between(l.True), l.Unit.format().Text(l.Reported), l.offBy(),
		percent(l.Tolerance), verdict,
	}
}

func (l Line) offBy() string {
	off := l.True.Off(l.Reported)
	if math.IsInf(off, 0) {
		return "all"
	}
	return number.Change(1 + off)
}

func percent(part float64) string { return fmt.Sprintf("%g%%", 100*part) }

// between prints one value where the ends of a range look alike.
func (u Unit) between(r truth.Range) string {
	printed := u.format().At(r.Hi)
	lo, hi := printed.Bare(r.Lo), printed.Bare(r.Hi)
	if lo == hi {
		return printed.Text(r.Hi)
	}
	return lo + "–" + printed.Text(r.Hi)
}

func (u Unit) format() number.Format {
	if u == Calls {
		return number.Format{Scale: number.Scale{By: 1}}
	}
	return number.Nanoseconds.Format()
}

// reasons says why figures are missing or inconclusive, each reason of a check once.
func (r Report) reasons() string {
	var lines []string
	for _, l := range r.Lines {
		reason := ""
		switch {
		case l.Inconclusive():
			reason = "inconclusive, as " + l.Disturbed
		case l.Failure != "":
			reason = l.Failure
		}
		line := fmt.Sprintf("%s %s, %s: %s", l.Stack, l.Load, l.Server, reason)
		if reason != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// judgement is what to think of it, in a sentence or two.
func (r Report) judgement() string {
	doubt, failed, inconclusive := r.Floor.Doubt(), r.Failed(), r.Inconclusive()
	switch {
	case failed > 0:
		return fmt.Sprintf("%d of %d figures deviate more than allowed: in its present state, this machine can't\n"+
			"measure them. End other programs and test again. Failures on an idle machine are defects of\n"+
			"rpcbench.",
			failed, len(r.Lines))
	case inconclusive > 0:
		return fmt.Sprintf("%d of %d figures deviate more than allowed, but other programs disturbed the "+
			"machine,\nso the result is inconclusive. End other programs and test again.",
			inconclusive, len(r.Lines))
	}
	return fmt.Sprintf("All %d figures are within tolerance: this machine can measure latencies.\nDifferences "+
		"below %s are not reliable, and latencies below %s only with care.",
		len(r.Lines), printed(doubt), printed(10*doubt))
}
