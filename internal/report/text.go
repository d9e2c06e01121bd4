package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
)

// writeText prints tables for people at a terminal: one for each case, the lines that belong to it below, and a footer.
func writeText(w io.Writer, r *analysis.Report, options Options) error {
	out := &textWriter{printer: printer{w: w}, width: cmp.Or(options.Width, WidthDefault), color: options.Color}
	scenario := ""
	for _, table := range r.Tables {
		if table.Scenario != scenario {
			scenario = table.Scenario
			out.wrapped("", heading(r, scenario), bold)
			out.printf("\n")
		}
		for _, v := range newViews(table, options) {
			out.view(v)
			out.printf("\n")
		}
	}
	if options.Reference != nil {
		out.published(r, options.Reference)
	}
	for _, line := range footer(r) {
		out.wrapped("", line, dim)
	}
	out.mistakes(Mistakes(r))
	return out.err
}

// mistakes prints the caveats, if there are any.
func (t *textWriter) mistakes(mistakes []Mistake) {
	if len(mistakes) == 0 {
		return
	}
	t.printf("\n")
	t.wrapped("", caveats, bold)
	for _, m := range mistakes {
		t.wrapped("  ", m.Text, "")
	}
}

// caveats is the heading of known mistakes that a report finds in itself.
const caveats = "Caveats"

// published prints the figures of others beside the report's.
func (t *textWriter) published(r *analysis.Report, ref *published.Reference) {
	t.wrapped("", publishedHeading(ref), bold)
	t.printf("\n")
	for _, v := range publishedViews(r, ref) {
		t.view(v)
		t.printf("\n")
	}
	for _, note := range publishedNotes(r, ref) {
		t.wrapped("", note, "")
	}
	t.printf("\n")
}

// heading names a scenario and its question.
func heading(r *analysis.Report, name string) string {
	for _, source := range r.Sources {
		for _, scenario := range source.Header.Scenarios {
			if source.Scenario(scenario.Name) == name && scenario.Question != "" {
				return fmt.Sprintf("%s: %s", name, scenario.Question)
			}
		}
	}
	return name
}

type textWriter struct {
	printer
	width int
	color bool
}

func (t *textWriter) view(v *view) {
	t.wrapped("", v.caption, bold)
	if v.detail != "" {
		t.wrapped("", v.detail, dim)
	}
	lines, left := fit(v, t.width)
	heads := len(lines) - v.height()
	if len(v.rows) == 0 {
		heads = len(lines)
	}
	for _, line := range lines[:heads] {
		t.printf("%s\n", line)
	}
	apart := pointsApart(v.rows)
	for i, row := range v.rows {
		if i > 0 && apart && !row.SamePoint(v.rows[i-1]) {
			t.printf("\n")
		}
		t.printf("%s\n", t.row(lines[heads+i], row))
	}
	for _, note := range v.notes {
		t.wrapped("  ", note, "")
	}
	if len(left) > 0 {
		t.wrapped("  ", fmt.Sprintf("Too wide for %d columns, omitted: %s. See --format csv for all columns.", t.width,
			strings.Join(left, ", ")), dim)
	}
}

// pointsApart tells whether an empty line should part one point from the next: where a point has several rows.
func pointsApart(rows []*analysis.Row) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i].SamePoint(rows[i-1]) {
			return true
		}
	}
	return false
}

// fit lays a view out no wider than width: it narrows the gaps, and then leaves out columns, which it names.
func fit(v *view, width int) (lines, left []string) {
	columns := v.columns
	for {
		for _, gap := range gaps {
			if lines = layOut(columns, v.height(), gap); widest(lines) <= width {
				return lines, left
			}
		}
		first := slices.MaxFunc(columns, func(a, b column) int { return cmp.Compare(a.drop, b.drop) })
		if first.drop == 0 {
			return lines, left
		}
		left = append(left, cmp.Or(first.group, first.head))
		columns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
			return c.drop == first.drop && c.group == first.group
		})
	}
}

func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, runes(line))
	}
	return most
}

// row colours a line: the floor is background, and a verdict that is not OK stands out.
func (t *textWriter) row(line string, row *analysis.Row) string {
	verdict := row.Verdict()
	rest, judged := strings.CutSuffix(line, verdict)
	switch {
	case judged && verdict != analysis.VerdictOK:
		color := yellow
		if verdict == analysis.VerdictFailed {
			color = red
		}
		return rest + t.painted(verdict, color)
	case row.IsFloor():
		return t.painted(line, dim)
	default:
		return line
	}
}

// wrapped prints a paragraph, its second line and those below indented.
func (t *textWriter) wrapped(indent, line, color string) {
	const hang = "  "
	lines := strings.Split(text.WrapSoft(clean(line), max(t.width-len(indent+hang), 20)), "\n")
	for i, part := range lines {
		if i > 0 {
			part = hang + part
		}
		t.printf("%s\n", t.painted(indent+strings.TrimRight(part, " "), color))
	}
}

// ANSI escape sequences.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

func (t *textWriter) painted(line, color string) string {
	if !t.color || color == "" {
		return line
	}
	return color + line + reset
}
