package selftest

import (
	"fmt"
	"io"
	"math"
	"slices"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
)

// Write prints the report for people.
func (r Report) Write(w io.Writer) error {
	const wide = 160 // a figure is read beside its verdict
	return document.WriteText(w, r.document(), document.Style{Width: wide})
}

// document has a line for each figure, the machine's floor, and a judgment of both.
func (r Report) document() document.Document {
	figures := &document.Table{Columns: []document.Column{
		{Head: "stack"}, {Head: "load"}, {Head: "server"}, {Head: "figure"}, {Head: "true", Right: true},
		{Head: "reported", Right: true}, {Head: "off by", Right: true}, {Head: "within", Right: true}, {},
	}}
	for _, l := range r.Lines {
		figures.Append(l.cells()...)
	}
	bottom := &document.Table{Columns: []document.Column{{Head: "this machine"}, {Right: true}, {Head: "meaning"}}}
	for _, row := range floorRows(r.Floor) {
		bottom.Append(document.Texts(row...)...)
	}
	d := document.Document{figures}
	if reasons := r.reasons(); len(reasons) > 0 {
		d = append(d, reasons)
	}
	return append(d, bottom, document.Notes{Lines: []string{r.judgement()}})
}

func (l Line) cells() []document.Cell {
	verdict := "FAILED"
	switch {
	case l.OK():
		verdict = "ok"
	case l.Inconclusive():
		verdict = "inconclusive"
	}
	truth, reported, off := "–", "–", "–"
	if l.Failure == "" {
		truth, reported, off = l.Unit.between(l.True), l.Unit.format().Text(l.Reported), l.offBy()
	}
	return document.Texts(l.Stack, l.Load, l.Server, l.Figure, truth, reported, off, l.within(), verdict)
}

func (l Line) offBy() string {
	off := l.True.Off(l.Reported)
	if math.IsInf(off, 0) {
		return "all"
	}
	return number.Change(1 + off)
}

// within is "5%", or "5% or 3.00 µs".
func (l Line) within() string {
	if l.Allowance == 0 {
		return percent(l.Tolerance)
	}
	return percent(l.Tolerance) + " or " + printed(l.Allowance)
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
func (r Report) reasons() document.Answer {
	var lines document.Answer
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
	return lines
}

// judgement judges the figure in a sentence or two.
func (r Report) judgement() string {
	doubt, failed, inconclusive := r.Floor.Doubt(), r.Failed(), r.Inconclusive()
	switch {
	case failed > 0:
		return fmt.Sprintf("%d of %d figures deviate more than allowed: in its present state, this machine can't "+
			"measure them. End other programs and test again. Failures on an idle machine are defects of rpcbench.",
			failed, len(r.Lines))
	case inconclusive > 0:
		return fmt.Sprintf("%d of %d figures deviate more than allowed, but other programs disturbed the "+
			"machine, so the result is inconclusive. End other programs and test again.",
			inconclusive, len(r.Lines))
	}
	return fmt.Sprintf("All %d figures are within tolerance: this machine can measure latencies. Differences "+
		"below %s are not reliable, and latencies below %s only with care.",
		len(r.Lines), printed(doubt), printed(10*doubt))
}
