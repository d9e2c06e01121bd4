// Package compare compares figures of two sides, or of several sides with a base, and tests every difference.
//
// It knows nothing of where figures come from, except that there is one for each trial: results files of rpcbench, of
// go test -bench and of JMH all become Sets. Points are matched by their names. What one side lacks is reported, never
// dropped.
package compare

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
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
	Target  string // the address of the server, of one that ran already; Point has it, too
	Any     string // Point without Target
	Metric  string // without its unit
	Column  string // the metric's name in csv, with its unit; "" of other tools' metrics
	Unit    string // of Values: ns, B; "" for none
	Better  stat.Better
	Values  []float64 // one for each trial, finite; none where all failed
	Failed  int       // trials of the point, of which there are no values
	Verdict string    // of the point on this side, "" where nobody judged
	Few     int64     // calls that the percentile needs in a trial, where half of the trials or more have fewer; else 0

	// Blocks names for each value the block of a randomised run that it comes from; nil where there was none.
	Blocks []string
	// Occasions numbers for each value the time at which it was measured; nil is one time for all.
	Occasions []int
	// Floor are the values of the bare socket at the same point, measured with these; nil without.
	Floor []float64
	floor string // what it is
	// Keys lists the parts of the point.
	Keys []Key
}

// A Key is a part of what was measured.
type Key struct{ Name, Value string }

// A Set holds the measurements of one side.
type Set struct {
	Name    string
	Machine string   // where it was measured, "" where that is unknown or the same for all
	Figures []Figure // no two share point, metric and unit
	Notes   []string // sentences that a reader must know
	Span    Span     // when it was measured; the zero Span is unknown
	Times   int      // at how many occasions it was measured, 0 and 1 being one

	parts   []Set              // that Together made it of
	sources []*analysis.Source // of a value of an axis: the files that its trials are from, which other values may share
	noted   map[string]bool    // the beginnings of notes that are made once
}

// A Comparison is what the sides have in common, by metric.
type Comparison struct {
	Base   string
	Sides  []string // that were to be compared with the base, also those that have nothing in common with it
	Same   float64  // a ratio within it is the same: 0.05 is 5%
	Before []string // sentences that a reader must know first
	Tables []Table  // none if all that is in common was lost
	Lost   []Loss
	Notes  []string // what is on one side only, and the sides' own notes
}

// A Loss is a point of the base in one metric, all trials of which failed on another side.
type Loss struct {
	Point, Side    string
	Metric, Column string
	Failed         int // trials
}

// A Table has the lines of one metric. They are one family: the more differences are tested, the clearer each must be.
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
	Failed   [2]int // trials on each side, which are not compared
	Few      int64  // calls that the percentile needs in a trial, where a side's trials have fewer; else 0
	stat.Change

	// Machine is the change of the bare socket, where it was measured on both sides at different times and has changed too:
	// then the machine has. It is nil otherwise.
	Machine *stat.Change
	// Masked is that change where it tells nothing, but may be as large as the line's, which is then left open; nil otherwise.
	Masked *stat.Change

	figures [2]Figure
}

// FailsMore reports whether a greater part of the trials failed on the side than on the base: those that are compared did not.
func (l *Line) FailsMore() bool {
	return l.Failed[1]*(l.A.N+l.Failed[0]) > l.Failed[0]*(l.B.N+l.Failed[1])
}

// Percent is by how many percent the side is above the base; false says that there is no ratio.
func (l *Line) Percent() (percent, lo, hi float64, ok bool) {
	return 100 * (l.Ratio.Value - 1), 100 * (l.Ratio.Lo - 1), 100 * (l.Ratio.Hi - 1), l.HasRatio
}

// SameUsually is the default difference within which figures are the same.
const SameUsually = 0.05

// Of compares sides with a base. A ratio within same, 0.05 being 5%, is the same. It is an error if they have nothing in
// common.
func Of(same float64, base Set, sides ...Set) (*Comparison, error) {
	sides = slices.Clone(sides)
	c := &Comparison{Base: base.Name, Same: same, Notes: slices.Clone(base.Notes)}
	if note := ofOtherServers(&base, sides); note != "" {
		c.Before = append(c.Before, note)
	}
	known := map[string]bool{}
	for _, note := range base.Notes {
		known[note] = true
	}
	for _, side := range sides {
		for _, note := range side.Notes {
			if !known[note] {
				known[note], c.Notes = true, append(c.Notes, note)
			}
		}
		if base.Machine != "" && side.Machine != "" && base.Machine != side.Machine {
			c.Notes = append(c.Notes, fmt.Sprintf("%s and %s were measured on different machines (%s; %s): a "+
				"difference may come from the machines.",
				base.Name, side.Name, base.Machine, side.Machine))
		}
		if note := apart(base, side); note != "" {
			c.Before = append(c.Before, note)
		}
		c.add(base, side)
		c.Sides = append(c.Sides, side.Name)
	}
	c.Notes = append(c.Notes, missing(slices.Concat([]Set{base}, sides))...)
	if len(c.Tables) == 0 && len(c.Lost) == 0 {
		return nil, disjoint(base, sides)
	}
	for i := range c.Tables {
		c.Tables[i].decide(same)
		c.Tables[i].average(sides)
	}
	if note := c.maskedNote(); note != "" {
		c.Notes = append(c.Notes, note)
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
	there := side.byKey()
	for _, a := range base.Figures {
		i, ok := there[a.key()]
		if !ok {
			continue
		}
		b := side.Figures[i]
		if a.floor != b.floor || base.sharesFileWith(side) {
			a.Floor, b.Floor = nil, nil // no control: it is another one, or the sides were measured at the same time
		}
		switch {
		case len(a.Values) == 0:
		case len(b.Values) == 0:
			c.Lost = append(c.Lost, Loss{a.Point, side.Name, a.Metric, a.Column, b.Failed})
		default:
			c.table(a).Lines = append(c.table(a).Lines, Line{Point: a.Point, Side: side.Name,
				Verdicts: [2]string{a.Verdict, b.Verdict}, Failed: [2]int{a.Failed, b.Failed}, Few: max(a.Few, b.Few),
				figures: [2]Figure{a, b}})
		}
	}
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

// has reports whether a side has a line in the table.
func (t *Table) has(side string) bool {
	return slices.ContainsFunc(t.Lines, func(l Line) bool { return l.Side == side })
}

func (t *Table) decide(same float64) {
	family := make([]stat.Change, len(t.Lines))
	for i, line := range t.Lines {
		family[i] = change(line.figures[0], line.figures[1], len(t.Lines))
	}
	stat.Decide(family, stat.Level, same)
	for i := range t.Lines {
		t.Lines[i].Change = family[i]
		t.Lines[i].bound(t.Column)
		t.Lines[i].control(same)
	}
}

// bound has the medians and the ratio tell calls that were not served from times. Two sides of which neither was served have no
// ratio, and of what they would have been nothing is known.
func (l *Line) bound(column string) {
	metric, ok := analysis.Find(column)
	if !ok {
		return
	}
	judged, a, b := metric.Judged(), l.figures[0].Values, l.figures[1].Values
	l.A, l.B = judged.Served(l.A), judged.Served(l.B)
	servedA, servedB := judged.IsServed(l.A.Median), judged.IsServed(l.B.Median)
	switch {
	case !servedA && !servedB:
		l.Decline()
		return
	case l.Decision == stat.Same && (!servedA || !servedB):
		l.Decision = stat.Untold // most blocks have neither side served, whose ratio of 1 is no sign of sameness
	}
	l.Ratio.Estimate = judged.Bound(l.Ratio.Estimate, a, b)
}
