package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
)

// isPage reports whether a report is about one load of a running server. It then has a page with everything known about it,
// instead of tables, which compare several points or stacks.
func isPage(r *analysis.Report, options Options) bool {
	return isOneLoad(r) && options.Reference == nil
}

func isOneLoad(r *analysis.Report) bool {
	return len(r.Rows) == 1 && len(r.Tables) == 1 && r.Rows[0].Elsewhere()
}

// pageOf makes the page: what was measured, the outcomes of the calls, their latencies, their course, and the verdict.
func pageOf(r *analysis.Report, options Options) (document.Document, error) {
	table, row := r.Tables[0], r.Rows[0]
	d := document.Document{
		document.Notes{Title: pageTitle(table, row), Lines: []string{pageDetail(table)}, Quiet: true},
		caseChart(r, 0),
		pageFacts(row),
	}
	latency, err := latencyBlocks(row)
	if err != nil {
		return nil, err
	}
	for _, t := range alongTables(table.Rows) { // the answer where the load changes
		d = append(d, t)
	}
	d = append(append(d, latency...), timeBlocks(row)...)
	for _, t := range append(withinTables(table.Rows), besideTables(table)...) {
		d = append(d, t)
	}
	judgement := append(pageVerdict(row), namedFact("Notes", pageNotes(row, options))...)
	judgement = append(judgement, namedFact("Caveats", mistakeTexts(r))...)
	return append(d, judgement, document.Notes{Lines: pageFooter(r), Quiet: true}), nil
}

// pageTitle names the server, if it was already running, what was called and the load.
func pageTitle(table *analysis.Table, row *analysis.Row) string {
	title := naming.Caption(table)
	if row.Spec.Target != "" {
		return row.Spec.Target + ": " + title
	}
	return title
}

// pageDetail describes how it was called, without what is in the title.
func pageDetail(table *analysis.Table) string {
	spec := table.Rows[0].Spec
	_, common := naming.Axes(table.Rows)
	common = slices.DeleteFunc(common, func(words string) bool { return words == "server "+spec.Target || words == table.Title })
	return strings.Join(append([]string{naming.Stack(table.Rows[0])}, common...), " · ")
}

// namedFact makes one of sentences, or none where there are none.
func namedFact(name string, lines []string) document.Facts {
	if len(lines) == 0 {
		return nil
	}
	return document.Facts{{Name: name, Lines: lines}}
}

// pageVerdict describes each doubt: its figure, its meaning and the advice.
func pageVerdict(row *analysis.Row) document.Facts {
	doubts := row.Doubts()
	if len(doubts) == 0 {
		return document.Facts{{Name: "Verdict", Lines: []string{analysis.VerdictOK + ": no reason to doubt these figures"}}}
	}
	fact := document.Fact{Name: "Verdict", Tone: document.Warning}
	if row.Verdict() == analysis.VerdictFailed {
		fact.Tone = document.Alarm
	}
	for _, doubt := range doubts {
		fact.Lines = append(fact.Lines, doubtSentence(row, doubt))
	}
	return document.Facts{fact}
}

func doubtSentence(row *analysis.Row, doubt analysis.Doubt) string {
	meaning := verdictMeaning(doubt.Verdict, []*analysis.Row{row})
	why := doubt.Why
	switch {
	case doubt.Verdict == analysis.VerdictFailed:
		return doubt.Verdict + ": " + note.Failures(row)
	case len(row.Trials) > 1:
		why = fmt.Sprintf("in %d of %s, %s", doubt.Trials, number.Count(len(row.Trials), "trial"), why)
	}
	_, does, _ := strings.Cut(meaning, ": ")
	if doubt.Verdict == analysis.VerdictTooFewSamples {
		_, does, _ = strings.Cut(does, ". ") // which percentile needs how many calls was said before
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s. %s", doubt.Verdict, why, upperFirst(does)))
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] // of our own words
}

// pageNotes returns further notes on the row, without what is elsewhere on the page.
func pageNotes(row *analysis.Row, options Options) []string {
	return slices.Concat(sentences(append(note.Circumstances(row), note.StripOf(row)...)),
		meanings([]*analysis.Row{row}, options.MaxLatency))
}

func sentences(notes []string) []string {
	made := make([]string, len(notes))
	for i, note := range notes {
		made[i] = upperFirst(strings.TrimSuffix(note, ".") + ".")
	}
	return made
}

func mistakeTexts(r *analysis.Report) []string {
	var texts []string
	for _, m := range Mistakes(r) {
		texts = append(texts, m.Text)
	}
	return texts
}

// pageFooter says where the figures come from.
func pageFooter(r *analysis.Report) []string {
	lines := slices.Concat(batchLegend(r.Rows), energyLines(r.Rows))
	return append(lines, provenance(r)...)
}
