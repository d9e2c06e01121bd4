package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// WriteComparison prints what changed between sides in one of document.Formats: a table for each metric, or a record for each
// line.
func WriteComparison(w io.Writer, format string, c *compare.Comparison, style document.Style) error {
	return document.Write(w, format, document.Source{
		Of:       "comparisons",
		Document: func() document.Document { return comparisonDocument(c) },
		JSON:     func() any { return comparisonJSON(c) },
		Records: func(yield func(document.Object) bool) {
			for _, t := range c.Tables {
				for _, line := range t.Lines {
					if !yield(comparisonFields(c, t, line)) {
						return
					}
				}
			}
		},
	}, style)
}

func comparisonDocument(c *compare.Comparison) document.Document {
	var d document.Document
	for _, t := range c.Tables {
		d = append(d, comparisonTable(c, t))
	}
	return append(d, document.Notes{Lines: comparisonFooter(c), Quiet: true})
}

// comparisonTable is the table of one metric. What no line has is left out.
func comparisonTable(c *compare.Comparison, t compare.Table) *document.Table {
	scale := comparisonScale(t)
	out := &document.Table{Caption: metricTitle(t, scale.Name), Detail: comparisonDetail(t), Columns: []document.Column{
		{Head: "point"}, {Head: "side"}, {Head: c.Base, Right: true}, {Head: otherHead(t), Right: true}, {Head: "change", Right: true},
		{Head: "result"}, {Head: "p", Right: true, Drop: 1}, {Head: "verdict"},
	}}
	doubtful := false
	for _, line := range t.Lines {
		doubt := doubtWords(line.Verdicts)
		doubtful = doubtful || doubt != ""
		out.Append(document.Cell{Text: line.Point}, document.Cell{Text: line.Side}, servedCell(t, line.A, scale),
			servedCell(t, line.B, scale), changeCell(t, line), document.Cell{Text: saying(t, line)},
			document.Cell{Text: strconv.FormatFloat(line.P, 'g', 2, 64)}, document.Cell{Text: doubt})
	}
	if !doubtful {
		out.Columns = out.Columns[:len(out.Columns)-1]
	}
	if !severalSides(t) {
		out.Columns = slices.Delete(out.Columns, 1, 2)
	}
	for _, mean := range t.Means {
		out.Notes = append(out.Notes, meanNote(mean))
	}
	return out
}

// metricTitle names the metric and which direction of it is good.
func metricTitle(t compare.Table, unit string) string {
	good := "lower is better"
	if t.Better == stat.Higher {
		good = "higher is better"
	}
	if unit != "" {
		return fmt.Sprintf("%s, %s (%s)", t.Metric, unit, good)
	}
	return fmt.Sprintf("%s (%s)", t.Metric, good)
}

func comparisonDetail(t compare.Table) string {
	least, most := t.Lines[0].A.N, 0
	for _, line := range t.Lines {
		least, most = min(least, line.A.N, line.B.N), max(most, line.A.N, line.B.N)
	}
	n := strconv.Itoa(least)
	if least < most {
		n += "–" + strconv.Itoa(most)
	}
	if n == "1" {
		return "1 trial each, no interval"
	}
	return fmt.Sprintf("median of %s trials, %s", n, spreadName(t))
}

func spreadName(t compare.Table) string {
	few := func(l compare.Line) bool { return min(l.A.N, l.B.N) < stat.ConfidenceTrials }
	switch {
	case !slices.ContainsFunc(t.Lines, few):
		return "95% confidence intervals, as is that of the change of medians"
	case slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return !few(l) }):
		return fmt.Sprintf("95%% confidence intervals, min–max with fewer than %d trials; the same for the "+
			"change of medians", stat.ConfidenceTrials)
	default:
		return "min–max; the change is of medians, with its smallest and largest value over trials"
	}
}

// comparisonScale chooses the unit of a table's values.
func comparisonScale(t compare.Table) number.Scale {
	if t.Unit != string(number.Nanoseconds) {
		return number.Scale{Name: t.Unit, By: 1}
	}
	var medians []float64
	for _, line := range t.Lines {
		if isServed(t, line.A) {
			medians = append(medians, line.A.Median)
		}
	}
	return number.Nanoseconds.Common(medians)
}

func otherHead(t compare.Table) string {
	if severalSides(t) {
		return "candidate"
	}
	return t.Lines[0].Side
}

func severalSides(t compare.Table) bool {
	return slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return l.Side != t.Lines[0].Side })
}

// notServed stands for a percentile that lies among the calls that failed.
const notServed = "∞"

// isServed tells whether a figure of a line is one of calls that succeeded.
func isServed(t compare.Table, s stat.Summary) bool {
	metric, ok := analysis.Find(t.Column)
	return !ok || !metric.Judged().IsOfAll() || s.Median < analysis.NotServed
}

func servedCell(t compare.Table, s stat.Summary, scale number.Scale) document.Cell {
	if !isServed(t, s) {
		return document.Cell{Text: notServed}
	}
	return summaryCell(s, scale)
}

func summaryCell(s stat.Summary, scale number.Scale) document.Cell {
	return cellOf(&s, number.Format{Scale: scale, Each: true, Decimals: number.DecimalsMost}.At(s.Median), true)
}

func changeCell(t compare.Table, line compare.Line) document.Cell {
	_, lo, hi, ok := line.Percent()
	if !ok || !isServed(t, line.A) || !isServed(t, line.B) {
		return document.Cell{Text: absent}
	}
	return document.Cell{Text: number.Change(line.Ratio.Value), Spread: fmt.Sprintf("%+.1f to %+.1f", lo, hi)}
}

// saying is what can be said of a line.
func saying(t compare.Table, line compare.Line) string {
	switch {
	case line.Decision == stat.NeedsTrials:
		return fmt.Sprintf("needs ≥ %d trials", line.Trials)
	case line.Decision != stat.Differs:
		return string(stat.Untold)
	case (line.B.Median > line.A.Median) == (t.Better == stat.Higher):
		return "better"
	default:
		return "worse"
	}
}

// doubtWords are the verdicts of the sides, where one is not OK.
func doubtWords(verdicts [2]string) string {
	word := func(v string) string { return cmp.Or(v, "OK") }
	a, b := word(verdicts[0]), word(verdicts[1])
	switch {
	case a == "OK" && b == "OK":
		return ""
	case a == b:
		return a
	default:
		return a + " / " + b
	}
}

func meanNote(m compare.Mean) string {
	spread := "95% confidence interval over these rows"
	if m.Spread != stat.SpreadCI95 {
		spread = "smallest and largest value over trials"
	}
	return fmt.Sprintf("Geometric mean of %d rows, %s: %s (%+.1f to %+.1f; %s).", m.Lines, m.Side, number.Change(m.Value),
		100*(m.Lo-1), 100*(m.Hi-1), spread)
}

// comparisonFooter says how to read the tables.
func comparisonFooter(c *compare.Comparison) []string {
	lines := []string{fmt.Sprintf("better, worse: the difference is significant (Mann–Whitney test over trials; "+
		"false discovery rate of at most %s within a table, by Benjamini and Hochberg). ~: inconclusive. "+
		"This does not show that the sides are equal: the interval of the change shows how large a difference "+
		"may be undetected.", number.Percent(stat.Level, 0))}
	needs := func(t compare.Table) bool {
		return slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return l.Decision == stat.NeedsTrials })
	}
	if slices.ContainsFunc(c.Tables, needs) {
		lines = append(lines, "needs ≥ k trials: with fewer, no difference can be significant, however large. "+
			"Measure both sides again with --trials k.")
	}
	return append(lines, c.Notes...)
}
