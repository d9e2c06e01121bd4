package published

import (
	"maps"
	"slices"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
)

// A Claim is a published statement about two things, as a ratio with a bound. It is judged at every point at which both were
// measured.
type Claim struct {
	Name      string
	Published string  // the figure in the publication's words, "about 3×"
	AtLeast   float64 `yaml:"at_least"` // what the ratio must be for the claim to hold; 0 is no bound
	AtMost    float64 `yaml:"at_most"`
	Scenario  string  // that measures it
	// Metrics are the figures whose ratio it is, each by itself; UnderMetrics those of the divisor where they differ.
	Metrics      []analysis.Metric
	UnderMetrics []analysis.Metric `yaml:"under_metrics"`
	// Where bounds key columns and metrics; of the two rows the smaller value counts.
	Where map[string]Range
	// OneStack says that the claim is about the same stack in two cases: both rows must have the same stack and server. The floor
	// is excluded, because nobody would use it as a stack.
	OneStack bool `yaml:"one_stack"`
	// Differ are key columns in which the two rows may differ, beside those of who carries a call and how.
	Differ []string
	// Free are key columns that may hold anything, alike in both rows, beside those of Differ and Where.
	Free        []string
	Case        Case // what all comparisons have in common; a comparison's own comes before it
	Comparisons []Comparison
	Lacks       string // why it can't be measured here; then there are no metrics and no comparisons
	Unknown     string // why rows don't have the metrics; a claim without Where says it where no point has them on both sides
}

// A Comparison names rows to be divided, and rows to divide by.
type Comparison struct {
	Name        string
	Over, Under Case
}

// A Range is from From to To, both included; 0 is no bound.
type Range struct{ From, To float64 }

func (r Range) holds(value float64) bool {
	return value >= r.From && (r.To == 0 || value <= r.To)
}

// A Pair is two rows at one point, and the ratio of one metric.
type Pair struct {
	Over, Under             *analysis.Row
	OverMetric, UnderMetric analysis.Metric
	Ratio                   float64 // of the medians
	Lo, Hi                  float64 // of the ends of their spreads that are furthest apart
}

// Answers of a pair.
const (
	Yes    = "yes"
	No     = "no"
	Unsure = "~" // the bound lies within the spread
)

// A Finding is the measured result for a claim in one comparison.
type Finding struct {
	Claim      *Claim
	Comparison *Comparison // nil where the claim lacks something
	Pairs      []Pair
	Missing    string // why there is no pair
}

// Judge sets the claims against rows. There is a finding for every comparison that has a pair, and one for a claim
// that has none at all.
func (r *Reference) Judge(rows []*analysis.Row) []Finding {
	var findings []Finding
	for i := range r.Claims {
		findings = append(findings, r.Claims[i].judge(rows)...)
	}
	return findings
}

func (c *Claim) judge(rows []*analysis.Row) []Finding {
	if c.Lacks != "" {
		return []Finding{{Claim: c, Missing: c.Lacks}}
	}
	var measured, missing []Finding
	for i := range c.Comparisons {
		f := Finding{Claim: c, Comparison: &c.Comparisons[i]}
		f.Pairs, f.Missing = c.pairs(f.Comparison, rows)
		if len(f.Pairs) > 0 {
			measured = append(measured, f)
		} else {
			missing = append(missing, f)
		}
	}
	if len(measured) > 0 {
		return measured
	}
	return missing[:1]
}

// pairs returns the pairs of a comparison, or what is missing.
func (c *Claim) pairs(by *Comparison, rows []*analysis.Row) (pairs []Pair, missing string) {
	free := slices.Concat(c.Free, c.Differ, slices.Collect(maps.Keys(c.Where)))
	over, under := by.Over.rows(rows, free), by.Under.rows(rows, free)
	switch {
	case len(over) == 0:
		return nil, "no row has " + by.Over.words()
	case len(under) == 0:
		return nil, "no row has " + by.Under.words()
	}
	alike := false
	for _, a := range over {
		for _, b := range under {
			if !c.samePoint(a, b) {
				continue
			}
			alike = true
			if c.within(a, b) {
				pairs = append(pairs, c.ratios(a, b)...)
			}
		}
	}
	switch {
	case len(pairs) > 0:
		return pairs, ""
	case !alike:
		return nil, "the two sides have no point in common"
	case c.Unknown != "":
		return nil, c.Unknown
	default:
		return nil, "no point matches the claim" + c.whereWords() + ", with " + join(c.Metrics) + " on " +
			"both sides"
	}
}

// samePoint reports whether two rows differ only in what the claim compares. With one stack on both sides, the server must be the
// same too.
func (c *Claim) samePoint(a, b *analysis.Row) bool {
	if a.Spec.Stack == b.Spec.Stack && a.Spec.Against() != b.Spec.Against() || c.OneStack && (a.IsFloor() || b.IsFloor()) {
		return false
	}
	if a.Key.Scenario != b.Key.Scenario && !slices.Contains(c.Differ, "scenario") {
		return false
	}
	for _, column := range point.Columns() {
		free := !c.OneStack && column.Carrier || slices.Contains(c.Differ, column.Name)
		if !free && column.Text(a.Spec) != column.Text(b.Spec) {
			return false
		}
	}
	return true
}

func (c *Claim) within(a, b *analysis.Row) bool {
	for name, bounds := range c.Where {
		x, known := valueOf(a, name)
		y, alsoKnown := valueOf(b, name)
		if !known || !alsoKnown || !bounds.holds(min(x, y)) {
			return false
		}
	}
	return true
}

// valueOf is a row's number by the name of a key column or a metric.
func valueOf(row *analysis.Row, name string) (float64, bool) {
	for _, field := range row.Fields() {
		if n, ok := field.Value.(int64); ok && field.Name == name {
			return float64(n), true
		}
	}
	s, ok := row.Summary(analysis.Metric(name))
	return s.Median, ok
}

func (c *Claim) ratios(over, under *analysis.Row) []Pair {
	var pairs []Pair
	for i, metric := range c.Metrics {
		p := Pair{Over: over, Under: under, OverMetric: metric, UnderMetric: metric}
		if len(c.UnderMetrics) > 0 {
			p.UnderMetric = c.UnderMetrics[i]
		}
		a, known := over.Summary(p.OverMetric)
		b, alsoKnown := under.Summary(p.UnderMetric)
		if known && alsoKnown && b.Lo > 0 {
			p.Ratio, p.Lo, p.Hi = a.Median/b.Median, a.Lo/b.Hi, a.Hi/b.Lo
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// Holds answers for one pair: Yes where all of its interval is within the bounds, No where none of it is.
func (c *Claim) Holds(p Pair) string {
	bounds := Range{c.AtLeast, c.AtMost}
	switch low, high := bounds.holds(p.Lo), bounds.holds(p.Hi); {
	case low && high:
		return Yes
	case p.Hi < c.AtLeast, c.AtMost > 0 && p.Lo > c.AtMost:
		return No
	default:
		return Unsure
	}
}

// Count counts the pairs' answers.
func (f Finding) Count() (yes, no, unsure int) {
	for _, p := range f.Pairs {
		switch f.Claim.Holds(p) {
		case Yes:
			yes++
		case No:
			no++
		default:
			unsure++
		}
	}
	return yes, no, unsure
}
