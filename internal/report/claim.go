package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/stat"
)

// claimsTable has a line for each finding: the claim, the measurement, and whether the claim holds.
func claimsTable(findings []published.Finding) *document.Table {
	t := &document.Table{
		Caption: "Claims: median, minimum and maximum of the ratio over the points where both sides were measured",
		Columns: []document.Column{
			{Head: "claim"}, {Head: "compared with"}, {Head: "published"}, {Head: "holds if", Right: true},
			{Head: "measured ×", Right: true}, {Head: "holds"},
		},
		Notes: findingNotes(findings),
	}
	for _, f := range findings {
		with := ""
		if f.Comparison != nil && len(f.Pairs) > 0 {
			with = f.Comparison.Name
		}
		t.Append(append(document.Texts(f.Claim.Name, with, f.Claim.Published, boundWords(f.Claim)), ratioCell(f.Pairs),
			document.Cell{Text: holdsWords(f)})...)
	}
	return t
}

func boundWords(c *published.Claim) string {
	switch {
	case c.AtLeast > 0 && c.AtMost > 0:
		return fmt.Sprintf("%v–%v", c.AtLeast, c.AtMost)
	case c.AtLeast > 0:
		return fmt.Sprintf("≥ %v", c.AtLeast)
	case c.AtMost > 0:
		return fmt.Sprintf("≤ %v", c.AtMost)
	default:
		return ""
	}
}

// ratioCell is the median of the pairs' ratios, and their range.
func ratioCell(pairs []published.Pair) document.Cell {
	if len(pairs) == 0 {
		return document.Cell{Text: cell.Absent}
	}
	ratios := ratiosOf(pairs)
	s := stat.Summary{N: len(ratios), Median: stat.Summarize(ratios).Median, Lo: slices.Min(ratios), Hi: slices.Max(ratios)}
	c := cell.Of(&s, number.None.Format(), true)
	if slices.ContainsFunc(pairs, func(p published.Pair) bool { return p.Over.Unstable() || p.Under.Unstable() }) {
		c.Text += doubted
	}
	return c
}

func ratiosOf(pairs []published.Pair) []float64 {
	ratios := make([]float64, len(pairs))
	for i, p := range pairs {
		ratios[i] = p.Ratio
	}
	return ratios
}

// answerOf sums up a finding: yes, no or ~ where all pairs say so, partly where they don't.
func answerOf(f published.Finding) string {
	yes, no, unsure := f.Count()
	switch all := len(f.Pairs); {
	case all == 0:
		return "not measured"
	case yes == all:
		return published.Yes
	case no == all:
		return published.No
	case unsure == all:
		return published.Unsure
	default:
		return "partly"
	}
}

// holdsWords gives the answer with its number of pairs, or how many pairs agree and how many are undecided.
func holdsWords(f published.Finding) string {
	yes, _, unsure := f.Count()
	switch answer, all := answerOf(f), len(f.Pairs); {
	case all == 0:
		return answer
	case answer != "partly":
		return fmt.Sprintf("%s (%d)", answer, all)
	case unsure > 0:
		return fmt.Sprintf("%d of %d, %d %s", yes, all, unsure, published.Unsure)
	default:
		return fmt.Sprintf("%d of %d", yes, all)
	}
}

// findingNotes says what each finding was computed from, and what the others lack, grouped by what they lack.
func findingNotes(findings []published.Finding) []string {
	var notes, reasons []string
	missing := map[string][]string{} // names by reason
	for _, f := range findings {
		if len(f.Pairs) > 0 {
			notes = append(notes, findingNote(f))
			continue
		}
		reason := f.Missing
		if f.Claim.Scenario != "" {
			reason += fmt.Sprintf(" (the scenario %s measures it)", f.Claim.Scenario)
		}
		if missing[reason] == nil {
			reasons = append(reasons, reason)
		}
		missing[reason] = append(missing[reason], f.Claim.Name)
	}
	for _, reason := range reasons {
		notes = append(notes, fmt.Sprintf("%s: not measured: %s.", strings.Join(missing[reason], "; "), reason))
	}
	return notes
}

// findingNote says what a finding was computed from.
func findingNote(f published.Finding) string {
	var over, under []*analysis.Row
	var metrics, underMetrics []string
	for _, p := range f.Pairs {
		over, under = append(over, p.Over), append(under, p.Under)
		metrics = naming.AppendNew(metrics, string(p.OverMetric))
		underMetrics = naming.AppendNew(underMetrics, string(p.UnderMetric))
	}
	divisor := strings.Join(underMetrics, ", ")
	if slices.Equal(metrics, underMetrics) {
		divisor = "that"
	}
	shared, own := claimColumns(over, under)
	note := fmt.Sprintf("%s, %s: %s of %s, divided by %s of %s", f.Claim.Name, f.Comparison.Name, strings.Join(metrics, ", "),
		rowsWords(over, own), divisor, rowsWords(under, own))
	if at := rowsWords(slices.Concat(over, under), shared); at != "" {
		note += "; at " + at
	}
	return note + "."
}

// pointColumns say where a claim was looked at, even if that is one point only.
var pointColumns = []string{"request_bytes", "message"}

// claimColumns are the key columns in which the two sides differ as a whole, and those that both sides share and rows
// differ in.
func claimColumns(over, under []*analysis.Row) (shared, own []string) {
	for _, field := range over[0].Fields() {
		a, b := valuesOf(over, field.Name), valuesOf(under, field.Name)
		switch {
		case !slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))):
			own = append(own, field.Name)
		case len(a) > 1, slices.Contains(pointColumns, field.Name):
			shared = append(shared, field.Name)
		}
	}
	return shared, own
}

// rowsWords is "stack codec-java, codec json/json-gzip".
func rowsWords(rows []*analysis.Row, columns []string) string {
	var parts []string
	for _, name := range columns {
		values := slices.DeleteFunc(valuesOf(rows, name), func(value string) bool { return value == "" })
		if len(values) > 0 {
			parts = append(parts, name+" "+strings.Join(values, "/"))
		}
	}
	return strings.Join(parts, ", ")
}

// valuesOf returns the different values of a key column, in the order of the rows.
func valuesOf(rows []*analysis.Row, name string) []string {
	var values []string
	for _, row := range rows {
		for _, field := range row.Fields() {
			if value := document.Value(field.Value); field.Name == name && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
	}
	return values
}

// claimNotes say how to read the claims.
func claimNotes(findings []published.Finding) []string {
	if len(findings) == 0 {
		return nil
	}
	return []string{"A claim holds if the ratio is within its bound at every point; " + published.Unsure +
		" means inconclusive, because the bound lies within the spread of the trials. The number in parentheses " +
		"is how " +
		"many pairs of rows were checked."}
}

// jsonClaim is a finding, which holds, or a pair of which holds: yes, no, ~; or partly, or it was not measured.
func jsonClaim(f published.Finding) document.Object {
	pairs := []document.Object{}
	for _, p := range f.Pairs {
		pairs = append(pairs, document.Object{
			{Name: "over", Value: jsonPairSide(p.Over, p.OverMetric)}, {Name: "under", Value: jsonPairSide(p.Under, p.UnderMetric)},
			{Name: "ratio", Value: cell.ShortNumber(p.Ratio)},
			{Name: "lo", Value: cell.ShortNumber(p.Lo)}, {Name: "hi", Value: cell.ShortNumber(p.Hi)},
			{Name: "holds", Value: f.Claim.Holds(p)},
		})
	}
	compared := ""
	if f.Comparison != nil {
		compared = f.Comparison.Name
	}
	return slices.Concat(document.Object{{Name: "name", Value: f.Claim.Name}, {Name: "published", Value: f.Claim.Published}},
		document.Some("at_least", f.Claim.AtLeast), document.Some("at_most", f.Claim.AtMost),
		document.Some("compared_with", compared), document.Object{{Name: "holds", Value: answerOf(f)}},
		document.Some("missing", f.Missing), document.Some("scenario", f.Claim.Scenario),
		document.Object{{Name: "pairs", Value: pairs}})
}

func jsonPairSide(row *analysis.Row, m analysis.Metric) document.Object {
	s, _ := row.Summary(m)
	return document.Object{{Name: "row", Value: document.Object(row.Fields())}, {Name: "metric", Value: m},
		{Name: "median", Value: cell.Exact(m, s.Median)}}
}
