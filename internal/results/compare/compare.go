// Package compare sets figures of two sides, or of several beside a base, against each other and tests every
// difference.
//
// It knows nothing of where figures come from but that there is one for each trial: results files of rpcbench, of go test
// -bench and of JMH all become Sets. Points are matched by their names. What one side lacks is said, never dropped.
package compare

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/stat"
)

// rates are the units of other tools of which more is better; of all others less is.
var rates = []string{"ops/ns", "ops/us", "ops/ms", "ops/s", "ops/min", "ops/hr", "ops/day", "B/s", "MB/s"}

func betterIn(unit string) stat.Better {
	if slices.Contains(rates, unit) {
		return stat.Higher
	}
	return stat.Lower
}

// A Figure is one metric of one point.
type Figure struct {
	Point   string // what was measured, alike on both sides
	Metric  string // without its unit
	Column  string // the metric's name in csv, with its unit; "" of other tools' metrics
	Unit    string // of Values: ns, B; "" for none
	Better  stat.Better
	Values  []float64 // one for each trial, finite
	Verdict string    // of the point on this side, "" where nobody judged
}

// A Set is what one side measured.
type Set struct {
	Name    string
	Machine string   // where it was measured, "" where that is unknown or the same for all
	Figures []Figure // no two share point, metric and unit
	Notes   []string // sentences that a reader must know
}

// A Comparison is what the sides have in common, by metric.
type Comparison struct {
	Base   string
	Tables []Table
	Notes  []string // what is on one side only, and the sides' own notes
}

// A Table has the lines of one metric. They are one family: the more differences are looked for, the clearer each has to
// be.
type Table struct {
	Metric string
	Column string
	Unit   string
	Better stat.Better
	Lines  []Line
	Means  []Mean // for each side with at least two lines, all with ratios
}

// A Line is one point on two sides.
type Line struct {
	Point    string
	Side     string // the other side's name
	Verdicts [2]string
	stat.Change
}

// A Mean is the geometric mean of a side's ratios to the base.
type Mean struct {
	Side  string
	Lines int
	stat.Ratio
}

// Percent is how many percent the median of the side is above that of the base; false says that there is no ratio.
func (l Line) Percent() (percent, lo, hi float64, ok bool) {
	return 100 * (l.Ratio.Value - 1), 100 * (l.Ratio.Lo - 1), 100 * (l.Ratio.Hi - 1), l.HasRatio
}

// Of compares sides with a base. It is an error if they have nothing in common.
func Of(base Set, sides ...Set) (*Comparison, error) {
	c := &Comparison{Base: base.Name, Notes: slices.Clone(base.Notes)}
	for _, side := range sides {
		for _, note := range side.Notes {
			if !slices.Contains(c.Notes, note) {
				c.Notes = append(c.Notes, note)
			}
		}
		if base.Machine != "" && side.Machine != "" && base.Machine != side.Machine {
			c.Notes = append(c.Notes, fmt.Sprintf("%s and %s were measured on different machines (%s; %s): a "+
				"difference may come from the machines.",
				base.Name, side.Name, base.Machine, side.Machine))
		}
		c.add(base, side)
	}
	if len(c.Tables) == 0 {
		return nil, fmt.Errorf("nothing was measured in both %s and %s", base.Name, names(sides))
	}
	for i := range c.Tables {
		c.Tables[i].decide()
		c.Tables[i].average(base, sides)
	}
	return c, nil
}

func names(sides []Set) string {
	words := make([]string, len(sides))
	for i, side := range sides {
		words[i] = side.Name
	}
	return strings.Join(words, " or ")
}

// add puts the side's figures beside the base's.
func (c *Comparison) add(base, side Set) {
	for _, a := range base.Figures {
		b, ok := side.find(a)
		if !ok || len(a.Values) == 0 || len(b.Values) == 0 {
			continue
		}
		c.table(a).Lines = append(c.table(a).Lines, Line{Point: a.Point, Side: side.Name,
			Verdicts: [2]string{a.Verdict, b.Verdict}, Change: stat.Compare(a.Values, b.Values)})
	}
	c.missing(base, side)
	c.missing(side, base)
}

// missing notes the points of one set that the other has not.
func (c *Comparison) missing(here, there Set) {
	var points []string
	for _, f := range here.Figures {
		in := func(other Figure) bool { return other.Point == f.Point }
		if !slices.ContainsFunc(there.Figures, in) && !slices.Contains(points, f.Point) {
			points = append(points, f.Point)
		}
	}
	switch len(points) {
	case 0:
	case 1:
		c.Notes = append(c.Notes, fmt.Sprintf("Only in %s: %s.", here.Name, points[0]))
	default:
		c.Notes = append(c.Notes, fmt.Sprintf("Only in %s: %s and %d more.", here.Name, points[0], len(points)-1))
	}
}

func (s *Set) find(like Figure) (Figure, bool) {
	i := slices.IndexFunc(s.Figures, func(f Figure) bool {
		return f.Point == like.Point && f.Metric == like.Metric && f.Unit == like.Unit
	})
	if i < 0 {
		return Figure{}, false
	}
	return s.Figures[i], true
}

// table finds the table of a figure, or makes it.
func (c *Comparison) table(of Figure) *Table {
	i := slices.IndexFunc(c.Tables, func(t Table) bool { return t.Metric == of.Metric && t.Unit == of.Unit })
	if i < 0 {
		c.Tables = append(c.Tables, Table{Metric: of.Metric, Column: of.Column, Unit: of.Unit, Better: of.Better})
		i = len(c.Tables) - 1
	}
	return &c.Tables[i]
}

func (t *Table) decide() {
	family := make([]stat.Change, len(t.Lines))
	for i, line := range t.Lines {
		family[i] = line.Change
	}
	stat.Decide(family, stat.Level)
	for i := range t.Lines {
		t.Lines[i].Change = family[i]
	}
}

func (t *Table) average(base Set, sides []Set) {
	for _, side := range sides {
		var pairs []stat.Pair
		whole := true
		for _, line := range t.Lines {
			if line.Side != side.Name {
				continue
			}
			like := Figure{Point: line.Point, Metric: t.Metric, Unit: t.Unit}
			a, _ := base.find(like)
			b, _ := side.find(like)
			pairs, whole = append(pairs, stat.Pair{A: a.Values, B: b.Values}), whole && line.HasRatio
		}
		if mean, err := stat.GeoMean(pairs); whole && len(pairs) > 1 && err == nil {
			t.Means = append(t.Means, Mean{side.Name, len(pairs), mean})
		}
	}
}
