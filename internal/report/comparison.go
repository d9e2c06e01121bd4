package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// FormatsOfComparison lists the formats of WriteComparison.
func FormatsOfComparison() []string {
	return []string{FormatText, FormatMarkdown, FormatCSV, FormatJSON}
}

// WriteComparison prints what changed between sides, a table for each metric. Text is for terminals, Markdown for pull
// requests; CSV and JSON have a record for each line.
func WriteComparison(w io.Writer, format string, c *compare.Comparison, options Options) error {
	switch format {
	case FormatText:
		return writeComparisonText(w, c, options)
	case FormatMarkdown:
		return writeComparisonMarkdown(w, c)
	case FormatCSV:
		return writeComparisonCSV(w, c)
	case FormatJSON:
		return writeComparisonJSON(w, c)
	default:
		return fmt.Errorf("--format %s does not support comparisons; supported formats are %s", format,
			strings.Join(FormatsOfComparison(), ", "))
	}
}

func writeComparisonText(w io.Writer, c *compare.Comparison, options Options) error {
	out := &textWriter{printer: printer{w: w}, width: cmp.Or(options.Width, WidthDefault), color: options.Color}
	for _, t := range c.Tables {
		out.view(comparisonView(c, t))
		out.printf("\n")
	}
	for _, line := range comparisonFooter(c) {
		out.wrapped("", line, dim)
	}
	return out.err
}

func writeComparisonMarkdown(w io.Writer, c *compare.Comparison) error {
	out := &printer{w: w}
	for _, t := range c.Tables {
		writeMarkdownView(out, comparisonView(c, t))
	}
	for _, line := range comparisonFooter(c) {
		out.printf("- %s\n", escaped(line))
	}
	return out.err
}

// comparisonView is the table of one metric.
func comparisonView(c *compare.Comparison, t compare.Table) *view {
	scale := comparisonScale(t)
	v := &view{caption: metricTitle(t, scale.Name), detail: comparisonDetail(t)}
	points, sides := column{head: "point"}, column{head: "side"}
	base, other := column{head: c.Base, right: true}, column{head: otherHead(t), right: true}
	change, says := column{head: "change", right: true}, column{head: "result"}
	p, verdicts := column{head: "p", right: true, drop: 1}, column{head: "verdict"}
	for _, line := range t.Lines {
		points.cells = append(points.cells, cell{value: line.Point})
		sides.cells = append(sides.cells, cell{value: line.Side})
		base.cells = append(base.cells, summaryCell(line.A, scale))
		other.cells = append(other.cells, summaryCell(line.B, scale))
		change.cells = append(change.cells, changeCell(line))
		says.cells = append(says.cells, cell{value: saying(t, line)})
		p.cells = append(p.cells, cell{value: strconv.FormatFloat(line.P, 'g', 2, 64)})
		verdicts.cells = append(verdicts.cells, cell{value: doubtWords(line.Verdicts)})
	}
	v.columns = append(v.columns, points)
	if severalSides(t) {
		v.columns = append(v.columns, sides)
	}
	v.columns = append(v.columns, base, other, change, says, p)
	if slices.ContainsFunc(verdicts.cells, func(c cell) bool { return c.value != "" }) {
		v.columns = append(v.columns, verdicts)
	}
	for _, mean := range t.Means {
		v.notes = append(v.notes, meanNote(mean))
	}
	return v
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
		medians = append(medians, line.A.Median)
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

func summaryCell(s stat.Summary, scale number.Scale) cell {
	return cellOf(&s, number.Format{Scale: scale, Each: true, Decimals: number.DecimalsMost}.At(s.Median), true)
}

func changeCell(line compare.Line) cell {
	_, lo, hi, ok := line.Percent()
	if !ok {
		return cell{value: absent}
	}
	return cell{value: number.Change(line.Ratio.Value), spread: fmt.Sprintf("%+.1f to %+.1f", lo, hi)}
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
