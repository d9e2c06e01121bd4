package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/stat"
)

// formatsOfReference have a place for published figures.
var formatsOfReference = []string{FormatText, FormatMarkdown, FormatHTML, FormatJSON}

// CheckReference returns an error where a format has no place for the published figures of Options.Reference.
func CheckReference(format string) error {
	if slices.Contains(formatsOfReference, format) {
		return nil
	}
	return fmt.Errorf("--format %s does not support published figures; supported formats are %s", format,
		strings.Join(formatsOfReference, ", "))
}

// publishedHeading opens the part of a report that holds figures of others.
func publishedHeading(ref *published.Reference) string {
	return fmt.Sprintf("%s: published figures, and the same cases measured here", ref.Name)
}

// publishedNotes describe the figures, how to read them, and how many have no counterpart.
func publishedNotes(r *analysis.Report, ref *published.Reference) []string {
	all, alone := 0, 0
	for i := range ref.Tables {
		all += len(ref.Tables[i].Figures)
		alone += len(ref.Tables[i].Figures) - len(ref.Tables[i].Match(r.Rows))
	}
	counted := fmt.Sprintf("%s of the %s published figures have no counterpart here.", number.Whole(alone), number.Whole(all))
	switch alone {
	case 0:
		counted = fmt.Sprintf("All %s published figures have a counterpart here.", number.Whole(all))
	case 1:
		counted = fmt.Sprintf("1 of the %s published figures has no counterpart here.", number.Whole(all))
	}
	notes := append(claimNotes(ref.Judge(r.Rows)), counted, fmt.Sprintf("Published: %s (%s).", ref.Title, ref.Source))
	if note := strings.TrimSpace(ref.Note); note != "" {
		notes = append(notes, note)
	}
	if alone < all {
		notes = append(notes, "× published is the measured figure divided by the published one. For a time, "+
			"below 1 is faster here; for a rate, above 1 is. The machines differ, so this does not show which "+
			"program is better.")
	}
	return notes
}

// publishedTables makes a table of the reference's claims, and of each of its tables that has a counterpart among the rows.
func publishedTables(r *analysis.Report, ref *published.Reference) []*document.Table {
	var tables []*document.Table
	if findings := ref.Judge(r.Rows); len(findings) > 0 {
		tables = append(tables, claimsTable(findings))
	}
	for i := range ref.Tables {
		if found := ref.Tables[i].Match(r.Rows); len(found) > 0 {
			tables = append(tables, publishedTable(&ref.Tables[i], found))
		}
	}
	return tables
}

func publishedTable(table *published.Table, found []published.Counterpart) *document.Table {
	figures := document.Table{Columns: []document.Column{
		{Head: "published", Right: true}, {Head: "unit"}, {Head: "measured", Right: true}, {Head: "× published", Right: true},
	}}
	name, v := document.Column{Head: "case"}, &view{}
	for _, c := range found {
		for _, row := range c.Rows {
			v.rows = append(v.rows, row)
			name.Cells = append(name.Cells, document.Cell{Text: c.Figure.Name})
			s, _ := c.Figure.Measured(row)
			figures.Append(document.Cell{Text: asPublished(c.Figure)}, document.Cell{Text: c.Figure.Unit},
				cell.Of(&s, number.None.Format(), true), byPublished(row, s, c.Figure))
		}
	}
	v.Caption, v.Detail = fmt.Sprintf("%s, %s", table.Machine, table.Date), naming.Statistic(v.rows)
	v.Columns = slices.Concat(
		keys(slices.Concat([]document.Column{name, stackColumn(v.rows)}, differing(found), scenarioColumns(v.rows))),
		figures.Columns,
		[]document.Column{verdictColumn(v.rows)},
	)
	return v.table()
}

// byPublished is a row's measured figure divided by the published one, with its interval.
func byPublished(row *analysis.Row, s stat.Summary, f *published.Figure) document.Cell {
	s.Median, s.Lo, s.Hi = s.Median/f.Value, s.Lo/f.Value, s.Hi/f.Value
	c := cell.Of(&s, number.None.Format(), true)
	if row.Unstable() {
		c.Text += doubted
	}
	return c
}

// differing returns the columns of the axes that distinguish rows of one stack and one figure.
func differing(found []published.Counterpart) []document.Column {
	var columns []document.Column
	for _, a := range naming.AllAxes {
		var all []*analysis.Row
		differs := false
		for _, c := range found {
			all = append(all, c.Rows...)
			differs = differs || len(a.Values(c.Rows)) > 1
		}
		if differs {
			columns = append(columns, a.Column(all))
		}
	}
	return columns
}

// scenarioColumns name each row's scenario, where there are several.
func scenarioColumns(rows []*analysis.Row) []document.Column {
	if !slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Key.Scenario != rows[0].Key.Scenario }) {
		return nil
	}
	name := func(row *analysis.Row) string { return row.Key.Scenario }
	return []document.Column{document.TextOf(document.Column{Head: "scenario"}, rows, name)}
}

// asPublished prints a figure with the digits that it was published with, and one that was approximate there with a sign.
func asPublished(f *published.Figure) string {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(f.Value, 'f', -1, 64), ".")
	text := number.Grouped(f.Value, len(fraction))
	if f.About {
		return "≈ " + text
	}
	return text
}

func jsonReference(r *analysis.Report, ref *published.Reference) document.Object {
	var claims, tables []document.Object
	for _, finding := range ref.Judge(r.Rows) {
		claims = append(claims, jsonClaim(finding))
	}
	without := 0
	for i := range ref.Tables {
		t := &ref.Tables[i]
		rows := map[*published.Figure][]*analysis.Row{}
		for _, c := range t.Match(r.Rows) {
			rows[c.Figure] = c.Rows
		}
		without += len(t.Figures) - len(rows)
		var figures []document.Object
		for j := range t.Figures {
			figures = append(figures, jsonFigure(&t.Figures[j], rows[&t.Figures[j]]))
		}
		tables = append(tables, document.Object{{Name: "machine", Value: t.Machine}, {Name: "date", Value: t.Date},
			{Name: "figures", Value: figures}})
	}
	out := document.Object{{Name: "name", Value: ref.Name}, {Name: "published_elsewhere", Value: true},
		{Name: "title", Value: ref.Title}, {Name: "source", Value: ref.Source}, {Name: "note", Value: strings.TrimSpace(ref.Note)},
		{Name: "without_counterpart", Value: without}}
	if len(claims) > 0 {
		out = append(out, analysis.Field{Name: "claims", Value: claims})
	}
	return append(out, analysis.Field{Name: "tables", Value: tables})
}

// jsonFigure is a published figure with its counterparts, if it has any. Each has the key of its row in the report.
func jsonFigure(f *published.Figure, rows []*analysis.Row) document.Object {
	measured := []document.Object{}
	for _, row := range rows {
		s, _ := f.Measured(row)
		measured = append(measured, document.Object{
			{Name: "row", Value: document.Object(row.Fields())},
			{Name: "n", Value: s.N}, {Name: "median", Value: cell.ShortNumber(s.Median)}, {Name: "lo", Value: cell.ShortNumber(s.Lo)},
			{Name: "hi", Value: cell.ShortNumber(s.Hi)}, {Name: "spread", Value: s.Spread},
			{Name: "by_published", Value: cell.ShortNumber(s.Median / f.Value)}, {Name: "verdict", Value: row.Verdict()},
		})
	}
	return slices.Concat(document.Object{{Name: "name", Value: f.Name}, {Name: "published", Value: f.Value},
		{Name: "unit", Value: f.Unit}}, document.Some("approximate", f.About), document.Some("lacks", f.Lacks),
		document.Object{{Name: "measured", Value: measured}})
}
