package comparison

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/model"
	"rpcbench/internal/results/compare"
)

// comparisonPage returns the HTML frame of a comparison: its sides, and the intervals to draw.
func comparisonPage(c *compare.Comparison) document.Page {
	short, _ := sharedWords(pointsOf(c))
	page := document.Page{Kicker: "rpcbench compare", Title: sidesOf(c) + " compared with " + c.Base}
	data := &model.Report{}
	for _, t := range c.Tables {
		data.Changes = append(data.Changes, model.FamilyOf(c, t, func(l compare.Line) string { return resultOf(t, l) },
			func(point string) string { return short[point] }))
	}
	page.Data = data
	return page
}

// sidesOf names the sides that are compared with the base: all that were to be, if nothing could be.
func sidesOf(c *compare.Comparison) string {
	if len(c.Tables) == 0 {
		return strings.Join(c.Sides, ", ")
	}
	var sides []string
	for _, t := range c.Tables {
		for _, line := range t.Lines {
			if !slices.Contains(sides, line.Side) {
				sides = append(sides, line.Side)
			}
		}
	}
	return strings.Join(sides, ", ")
}

// changesLead counts the answers of a table, or describes its only line.
func changesLead(t compare.Table) string {
	if len(t.Lines) == 1 {
		return lineLead(t, t.Lines[0])
	}
	var parts []string
	for _, of := range []struct{ answer, words string }{
		{answerWorse, "worse"}, {answerBetter, "better"}, {answerSame, "the same"}, {answerInconclusive, "can't be told"},
	} {
		n := 0
		for _, l := range t.Lines {
			if resultOf(t, l) == of.answer {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, of.words))
		}
	}
	return fmt.Sprintf("%s: of %s, %s.", t.Metric, number.Count(len(t.Lines), "comparison"), strings.Join(parts, ", "))
}

// lineLead is "response_p50 of after.jsonl is worse: +12.0% (+9.8 to +14.1).".
func lineLead(t compare.Table, l compare.Line) string {
	words := map[string]string{answerBetter: "is better", answerWorse: "is worse", answerSame: "is the same",
		answerInconclusive: "can't be told from the baseline's"}[resultOf(t, l)]
	lead := fmt.Sprintf("%s of %s %s", t.Metric, l.Side, words)
	if _, lo, hi, ok := l.Percent(); ok && isServed(t, l) {
		lead += ": " + number.Change(l.Ratio.Value)
		if !isOfOne(l) {
			lead += fmt.Sprintf(" (%s to %s)", number.Signed(lo), number.Signed(hi))
		}
	}
	return lead + "."
}
