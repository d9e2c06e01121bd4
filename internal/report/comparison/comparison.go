// Package comparison prints a compare.Comparison: for each metric a table of its changes, with intervals and decisions.
package comparison

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// Formats lists those of a comparison.
func Formats() []string { return append(document.Formats(), document.JUnit) }

// Write prints the changes between sides in one of the Formats: a table for each metric, or a record for each line. It also
// prints the limits that they were held against, which are all that JUnit has.
func Write(w io.Writer, format string, c *compare.Comparison, limits document.Checks, style document.Style) error {
	return document.Write(w, format, document.Source{
		Of:       "comparisons",
		Document: func() document.Document { return comparisonDocument(c) },
		Checks:   limits,
		JSON:     func() any { return comparisonJSON(c, limits) },
		Page:     func() document.Page { return comparisonPage(c) },
		Records: func(yield func(document.Object) bool) {
			for _, line := range Lines(c) {
				if !yield(line) {
					return
				}
			}
		},
	}, style)
}

func comparisonDocument(c *compare.Comparison) document.Document {
	var d document.Document
	short, shared := sharedWords(pointsOf(c))
	if before := slices.Clone(c.Before); len(before) > 0 || shared != "" {
		if shared != "" {
			before = append(before, "All rows: "+shared+".")
		}
		d = append(d, document.Notes{Lines: before})
	}
	for i, t := range c.Tables {
		d = append(d, document.Chart{Of: "changes", Number: i, Name: metricTitle(t, ""), Answer: []string{changesLead(t)}},
			comparisonTable(c, t, short))
	}
	return append(d, document.Notes{Lines: comparisonFooter(c), Quiet: true})
}

// comparisonTable returns the table of one metric, with short names of points. It omits columns that no line has.
func comparisonTable(c *compare.Comparison, t compare.Table, short map[string]string) *document.Table {
	scale := comparisonScale(t)
	text := func(of func(compare.Line) string) func(compare.Line) document.Cell {
		return func(l compare.Line) document.Cell { return document.Cell{Text: of(l)} }
	}
	out := &document.Table{Caption: metricTitle(t, scale.Name), Detail: comparisonDetail(t)}
	hasText := func(c document.Cell) bool { return c.Text != "" }
	add := func(column document.Column, cell func(compare.Line) document.Cell) {
		if column = document.Of(column, t.Lines, cell); slices.ContainsFunc(column.Cells, hasText) {
			out.Columns = append(out.Columns, column)
		}
	}
	add(document.Column{Head: "point", Key: true}, text(func(l compare.Line) string { return short[l.Point] }))
	if severalSides(t) {
		add(document.Column{Head: "side", Key: true}, text(func(l compare.Line) string { return l.Side }))
	}
	add(document.Column{Head: c.Base, Right: true}, func(l compare.Line) document.Cell { return servedCell(t, l.A, scale) })
	add(document.Column{Head: otherHead(t), Right: true}, func(l compare.Line) document.Cell { return servedCell(t, l.B, scale) })
	add(document.Column{Head: "change", Right: true, Headline: true}, func(l compare.Line) document.Cell { return changeCell(t, l) })
	add(document.Column{Head: "result", First: true}, text(func(l compare.Line) string { return saying(c, t, l) }))
	add(document.Column{Head: "finds", Right: true}, text(findsWords))
	add(document.Column{Head: "needs", Right: true}, text(needsWords))
	add(document.Column{Head: "p", Right: true},
		text(func(l compare.Line) string { return strconv.FormatFloat(l.P, 'g', 2, 64) }))
	out.Notes = lineDoubts(t, short)
	for _, mean := range t.Means {
		out.Notes = append(out.Notes, meanNote(mean))
	}
	return out
}

// finds reports whether there is a smallest difference that would have been found.
func finds(l compare.Line) bool {
	return l.HasRatio && l.Ratio.IsBounded() && l.Ratio.Spread == stat.SpreadCI95 && !l.TooFew
}

// findsWords are the smallest difference that would have been found.
func findsWords(l compare.Line) string {
	if !finds(l) {
		return ""
	}
	if l.Least > 9.99 {
		return ">999%"
	}
	return number.Percent(l.Least, 1)
}

// needsWords says how many trials would be enough.
func needsWords(l compare.Line) string {
	switch {
	case l.Trials == 0:
		return ""
	case l.TooFew:
		return "≥ " + number.Whole(int64(l.Trials))
	default:
		return number.Whole(int64(l.Trials))
	}
}

func pointsOf(c *compare.Comparison) []string {
	var points []string
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			if !slices.Contains(points, line.Point) {
				points = append(points, line.Point)
			}
		}
	}
	return points
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

// spreadName names the intervals, and how changes were tested.
func spreadName(t compare.Table) string {
	few := func(l compare.Line) bool { return l.A.Spread != stat.SpreadCI95 || l.B.Spread != stat.SpreadCI95 }
	of := "trials"
	if slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return few(l) && l.Design == stat.Occasions }) {
		of = "files"
	}
	switch {
	case !slices.ContainsFunc(t.Lines, few):
		return "95% confidence intervals; changes tested " + designName(t)
	case slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return !few(l) }):
		return fmt.Sprintf("95%% confidence intervals, min–max with fewer than %d %s; changes tested %s",
			stat.ConfidenceTrials, of, designName(t))
	case of == "files":
		return "min–max of files; changes tested " + designName(t)
	default:
		return "min–max; changes tested " + designName(t)
	}
}

// designName says which units the changes of a table are tested over.
func designName(t compare.Table) string {
	names := map[stat.Design]string{stat.Independent: "over trials", stat.Blocks: "within blocks of one run",
		stat.Looks: "within blocks, at several looks", stat.Occasions: "over occasions"}
	var found []string
	for _, line := range t.Lines {
		if name := names[line.Design]; !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return strings.Join(found, ", ")
}

// comparisonScale chooses the unit of a table's values by those that come from successful calls.
func comparisonScale(t compare.Table) number.Scale {
	if t.Unit != string(number.Nanoseconds) {
		return number.Scale{Name: t.Unit, By: 1}
	}
	var medians []float64
	for _, line := range t.Lines {
		for _, side := range []stat.Summary{line.A, line.B} {
			if analysis.IsServed(t.Column, side.Median) {
				medians = append(medians, side.Median)
			}
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

// isServed reports whether the figures of both sides come from calls that were served.
func isServed(t compare.Table, l compare.Line) bool {
	return analysis.IsServed(t.Column, l.A.Median) && analysis.IsServed(t.Column, l.B.Median)
}

func servedCell(t compare.Table, s stat.Summary, scale number.Scale) document.Cell {
	if !analysis.IsServed(t.Column, s.Median) {
		return document.Cell{Text: number.Unbounded}
	}
	shown := summaryCell(s, scale)
	if !analysis.IsServed(t.Column, s.Hi) { // and the median was: fewer than half of the trials were not
		shown.Spread = formatOf(s, scale).Bare(s.Lo) + "–" + number.Unbounded
	}
	return shown
}

func summaryCell(s stat.Summary, scale number.Scale) document.Cell {
	return cell.Of(&s, formatOf(s, scale), true)
}

func formatOf(s stat.Summary, scale number.Scale) number.Format {
	return number.Format{Scale: scale, Each: true, Decimals: number.DecimalsMost}.At(s.Median)
}

func changeCell(t compare.Table, line compare.Line) document.Cell {
	_, lo, hi, ok := line.Percent()
	if !ok || !isServed(t, line) {
		return document.Cell{Text: cell.Absent}
	}
	if isOfOne(line) {
		return document.Cell{Text: number.Change(line.Ratio.Value)}
	}
	return document.Cell{Text: number.Change(line.Ratio.Value), Spread: number.Signed(lo) + " to " + number.Signed(hi)}
}

// isOfOne reports whether a line compares one trial with one, so that its change has no interval.
func isOfOne(line compare.Line) bool { return max(line.A.N, line.B.N) < 2 }

// The answers of a comparison, as read by programs.
const (
	answerBetter       = "better"
	answerWorse        = "worse"
	answerSame         = "same"
	answerInconclusive = "inconclusive"
)

// Decision returns the answer of a table's first line, as read by programs.
func Decision(t compare.Table) string { return resultOf(t, t.Lines[0]) }

// resultOf returns the answer of a line.
func resultOf(t compare.Table, line compare.Line) string {
	switch {
	case line.Decision == stat.Same:
		return answerSame
	case !line.Decision.Differs():
		return answerInconclusive
	case (line.Decision == stat.Greater) == (t.Better == stat.Higher):
		return answerBetter
	default:
		return answerWorse
	}
}

// saying is that for people.
func saying(c *compare.Comparison, t compare.Table, line compare.Line) string {
	switch answer := resultOf(t, line); answer {
	case answerSame:
		return "same ±" + number.Bound(c.Same)
	case answerInconclusive:
		return "can't tell"
	default:
		return answer
	}
}

// machineChanged is the verdict of a line whose bare socket changed too.
const machineChanged = "MACHINE_CHANGED"

// doubtWords are the verdicts of the sides, where one is not OK, and that of both together.
func doubtWords(l compare.Line) string {
	word := func(v string) string { return cmp.Or(v, "OK") }
	a, b := word(l.Verdicts[0]), word(l.Verdicts[1])
	words := a + " / " + b
	if a == b {
		words = a
	}
	switch {
	case l.Machine == nil && words == "OK":
		return ""
	case l.Machine == nil:
		return words
	case words == "OK":
		return machineChanged
	default:
		return machineChanged + ", " + words
	}
}

// lineDoubts name the lines of each verdict that is not OK.
func lineDoubts(t compare.Table, short map[string]string) []string {
	var order []string
	lines := map[string][]string{}
	for _, l := range t.Lines {
		doubt := doubtWords(l)
		if doubt == "" {
			continue
		}
		if lines[doubt] == nil {
			order = append(order, doubt)
		}
		name := cmp.Or(short[l.Point], l.Point)
		if severalSides(t) {
			name += " of " + l.Side
		}
		lines[doubt] = append(lines[doubt], name)
	}
	var notes []string
	for _, doubt := range order {
		notes = append(notes, fmt.Sprintf("%s: %s.", doubt, strings.Join(lines[doubt], ", ")))
	}
	return notes
}

func meanNote(m compare.Mean) string {
	begin := fmt.Sprintf("Geometric mean of %d rows, %s: %s", m.Lines, m.Side, number.Change(m.Value))
	if m.Without != "" {
		return fmt.Sprintf("%s (no interval: %s).", begin, m.Without)
	}
	over, spread := "trials", "95% confidence interval over these rows"
	if m.OverOccasions {
		over, spread = "files", "95% confidence interval, t test over occasions"
	}
	if m.Spread != stat.SpreadCI95 {
		spread = "smallest and largest value over " + over
	}
	return fmt.Sprintf("%s (%s to %s; %s).", begin, number.Signed(100*(m.Lo-1)), number.Signed(100*(m.Hi-1)), spread)
}

// comparisonFooter says how to read the tables.
func comparisonFooter(c *compare.Comparison) []string {
	if len(c.Tables) == 0 {
		return c.Notes
	}
	same := number.Bound(c.Same)
	lines := []string{fmt.Sprintf("better, worse: the change is significant (%s; false discovery rate of at most %s within a "+
		"table, by Benjamini and Hochberg). same ±%s: changes beyond it are refuted (two one-sided tests). can't tell: neither.",
		testNames(c), number.Percent(stat.Level, 0), same)}
	lines = append(append(lines, columnLegend(c)...), oneTrialNote(c)...)
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			if line.Machine != nil {
				r := line.Machine.Ratio
				return append(append(lines, fmt.Sprintf("%s: the bare socket changed between the files too, in %s of %s by %s (%s to "+
					"%s), so the machine changed. A change that does not clearly exceed that is inconclusive.", machineChanged, t.Metric,
					line.Point, number.Change(r.Value), number.Signed(100*(r.Lo-1)), number.Signed(100*(r.Hi-1)))), c.Notes...)
			}
		}
	}
	return append(lines, c.Notes...)
}

// anyLine reports whether a line of a comparison meets a condition.
func anyLine(c *compare.Comparison, meets func(compare.Table, compare.Line) bool) bool {
	return slices.ContainsFunc(c.Tables, func(t compare.Table) bool {
		return slices.ContainsFunc(t.Lines, func(l compare.Line) bool { return meets(t, l) })
	})
}

// columnLegend explains the columns finds and needs, as far as a table has them.
func columnLegend(c *compare.Comparison) []string {
	var words []string
	change := "a change"
	if anyLine(c, func(_ compare.Table, l compare.Line) bool { return findsWords(l) != "" }) {
		words, change = append(words, "finds: the smallest change that would have been found 8 times out of 10."), "one"
	}
	if anyLine(c, func(_ compare.Table, l compare.Line) bool { return needsWords(l) != "" }) {
		words = append(words, fmt.Sprintf("needs: trials (blocks of one run, files a side) that would find %s of %s; ≥: with fewer, "+
			"no change can be significant.", change, number.Bound(c.Same)))
	}
	if len(words) == 0 {
		return nil
	}
	return []string{strings.Join(words, " ")}
}

// oneTrialNote says how to get intervals where a line has none. Other tools have their own flags.
func oneTrialNote(c *compare.Comparison) []string {
	if !anyLine(c, func(t compare.Table, l compare.Line) bool { return isOfOne(l) && t.Column != "" }) {
		return nil
	}
	return []string{"A change between 1 trial and 1 other has no interval, and may be noise. Measure both sides with more trials " +
		"(--trials 10)."}
}

// testNames are the tests that decided.
func testNames(c *compare.Comparison) string {
	names := map[stat.Design]string{stat.Independent: "Mann–Whitney test over trials",
		stat.Blocks: "signed-rank test within blocks of one run", stat.Looks: "signed-rank test at several looks",
		stat.Occasions: "t test over occasions"}
	var found []string
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			if name := names[line.Design]; !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return strings.Join(found, ", ")
}
