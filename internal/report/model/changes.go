package model

import (
	"math"

	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/stat"

	"rpcbench/internal/results/analysis"
)

// A Family is the changes of one metric.
type Family struct {
	Metric Text     `json:"metric"`
	Unit   Text     `json:"unit"`
	Higher bool     `json:"higher,omitempty"` // is better
	Base   Text     `json:"base"`
	Same   float64  `json:"same"` // a ratio within it is the same: 0.05 is 5%
	Lines  []Change `json:"lines"`
}

// A Change is one point on two sides: medians with the ends of their spread, nil where calls were not served, and n; and their
// ratio if there is one.
type Change struct {
	Point  Text        `json:"point"`
	Side   Text        `json:"side"`
	A      [4]*float64 `json:"a"`
	B      [4]*float64 `json:"b"`
	Ratio  *[3]float64 `json:"ratio,omitempty"`
	Answer string      `json:"answer"` // better, worse, same, inconclusive
}

// FamilyOf is a table of a comparison; answers has one of each line.
func FamilyOf(c *compare.Comparison, t compare.Table, answer func(compare.Line) string, name func(string) string) Family {
	f := Family{Metric: Text(t.Metric), Unit: Text(t.Unit), Higher: t.Better == stat.Higher, Base: Text(c.Base), Same: c.Same,
		Lines: []Change{}}
	for _, l := range t.Lines {
		change := Change{Point: Text(name(l.Point)), Side: Text(l.Side), Answer: answer(l),
			A: sideOf(t.Column, l.A), B: sideOf(t.Column, l.B)}
		if l.HasRatio && l.Ratio.IsBounded() {
			change.Ratio = &[3]float64{l.Ratio.Value, l.Ratio.Lo, l.Ratio.Hi}
		}
		f.Lines = append(f.Lines, change)
	}
	return f
}

func sideOf(metric string, s stat.Summary) [4]*float64 {
	n := float64(s.N)
	return [4]*float64{served(metric, s.Median), served(metric, s.Lo), served(metric, s.Hi), &n}
}

// served is a value of a metric, nil if it does not come from calls that were served, or is none that JSON has.
func served(metric string, value float64) *float64 {
	if !analysis.IsServed(metric, value) || math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

func side(s stat.Summary) [4]float64 { return [4]float64{s.Median, s.Lo, s.Hi, float64(s.N)} }

// A Panel is a table of published and measured figures of one unit.
type Panel struct {
	Title Text          `json:"title"`
	Unit  string        `json:"unit"`
	Lines []Counterpart `json:"lines"`
}

// A Counterpart is a published figure with the measured one.
type Counterpart struct {
	Case      Text       `json:"case"`
	Stack     Text       `json:"stack"`
	Published float64    `json:"published"`
	Measured  [4]float64 `json:"measured"`
}

// PanelsOf are the published figures with counterparts, by table and unit.
func PanelsOf(ref *published.Reference, rows []*analysis.Row) []Panel {
	var panels []Panel
	for i := range ref.Tables {
		at := map[string]int{}
		for _, c := range ref.Tables[i].Match(rows) {
			unit := c.Figure.Unit
			if _, ok := at[unit]; !ok {
				at[unit] = len(panels)
				panels = append(panels, Panel{Title: Text(ref.Tables[i].Machine + ", " + ref.Tables[i].Date), Unit: unit})
			}
			panel := &panels[at[unit]]
			for _, row := range c.Rows {
				s, _ := c.Figure.Measured(row)
				panel.Lines = append(panel.Lines, Counterpart{Case: Text(c.Figure.Name), Stack: Text(row.Spec.Stack),
					Published: c.Figure.Value, Measured: side(s)})
			}
		}
	}
	return panels
}
