package calibrate

import (
	"fmt"
	"io"
	"strconv"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
)

// Write prints the report for people.
func (r Report) Write(w io.Writer) error {
	const wide = 100
	return document.WriteText(w, r.document(), document.Style{Width: wide})
}

func (r Report) document() document.Document {
	table := &document.Table{Columns: []document.Column{
		{Head: "verb"}, {Head: "change"}, {Head: "metric"}, {Head: "injected", Right: true}, {Head: "measured", Right: true},
		{Head: "found", Right: true}, {Head: "coverage", Right: true}, {Head: "draws", Right: true},
	}}
	for _, l := range r.Lines {
		injected, measured, held := "–", "–", "–"
		if l.Ratio > 0 {
			injected = number.Change(l.Ratio)
		}
		if l.Measured > 0 {
			measured = number.Change(l.Measured)
		}
		if l.Held >= 0 {
			held = share(l.Held, l.Draws)
		}
		table.Append(document.Texts(l.Verb, l.Change, l.Metric, injected, measured, share(l.Found, l.Draws), held,
			strconv.Itoa(l.Draws))...)
	}
	return document.Document{table, document.Notes{Lines: r.notes()}}
}

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return number.Percent(float64(n)/float64(of), 1)
}

func (r Report) notes() []string {
	lines := []string{
		fmt.Sprintf("%s, unary 1x1 closed, against a server that spins for %v: a median response of %s, which varies by %s from "+
			"trial to trial. %d blocks of trials, %d trials a side in a comparison; ab looks at all blocks.", r.Stack, service,
			number.Duration(float64(r.Response)), number.Percent(r.Variation, 1), r.Blocks, r.Effort.Sample),
		"Where the change is none, found is the rate of false alarms, nominally 5%; at the bound it is how often --require decides. " +
			"Intervals are nominally right in 95%. Draws share trials: the rates are uncertain by more than their number suggests.",
	}
	if r.Noisy > 0 {
		lines = append(lines, fmt.Sprintf("The host was noisy in %d of %d trials: on a quiet host, more differences are found.",
			r.Noisy, r.Trials))
	}
	return lines
}
