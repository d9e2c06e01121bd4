package compare

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/stat"
)

// A Limit is a change that is too much: "response_p99>+5%" or "calls_per_sec<-3%". A line is over it when all of the
// interval of its change is, so that chance does not explain it.
type Limit struct {
	text    string
	metric  string
	name    string  // of the metric in a comparison; "" is metric
	above   bool    // of the base: too much is more than percent; else less than
	percent float64 // above 0 where above, below 0 else
}

// String is the limit as it was written.
func (l Limit) String() string { return l.text }

// Metric returns the limited metric, as it was written.
func (l Limit) Metric() string { return l.metric }

// Of returns the limit of a metric that a comparison calls by another name than the limit.
func (l Limit) Of(name string) Limit {
	l.name = name
	return l
}

// ParseLimit reads METRIC>+N% or METRIC<-N%. Its error explains the format.
func ParseLimit(text string) (Limit, error) {
	l := Limit{text: strings.TrimSpace(text)}
	at := strings.IndexAny(l.text, "<>")
	if at <= 0 {
		return l, fmt.Errorf("%q is not a limit for a change, such as response_p99>+5%% or calls_per_sec<-3%%", text)
	}
	l.metric, l.above = strings.TrimSpace(l.text[:at]), l.text[at] == '>'
	digits, isPercent := strings.CutSuffix(strings.TrimSpace(l.text[at+1:]), "%")
	percent, isNumber := number.Finite(digits)
	switch {
	case !isPercent || !isNumber:
		return l, fmt.Errorf("%q: %q is not a change in percent, such as +5%%", text, l.text[at+1:])
	case l.above && percent < 0 || !l.above && percent > 0:
		return l, fmt.Errorf("%q: use > for an increase (>+5%%) and < for a decrease (<-5%%)", text)
	}
	l.percent = percent
	return l, nil
}

// An Outcome is a line's result for a limit.
type Outcome int

// Outcomes.
const (
	Kept   Outcome = iota // none of the interval is beyond the limit
	Open                  // it can't be told
	Broken                // all of the interval is beyond the limit
)

// A Finding is a line that does not keep a limit.
type Finding struct {
	Limit   Limit
	Line    Line    // of a Loss, without figures
	Column  string  // the table's
	Outcome Outcome // Open or Broken
}

// Check returns the lines that don't keep the limit for sure. An error says that nothing of the metric was compared, of all sides
// or of one.
func (l Limit) Check(c *Comparison) (found []Finding, err error) {
	i := c.indexOf(l.metric)
	if i < 0 && l.name != "" {
		i = c.indexOf(l.name)
	}
	if i < 0 {
		var known []string
		for _, t := range c.Tables {
			known = append(known, t.Metric)
		}
		return nil, fmt.Errorf("%q: %q was not compared%s", l.text, l.metric, hint.Of(l.metric, known))
	}
	lost := c.lost(&c.Tables[i])
	for _, side := range c.Sides {
		if !c.Tables[i].has(side) && !slices.ContainsFunc(lost, func(l Line) bool { return l.Side == side }) {
			return nil, fmt.Errorf("%q: %s", l.text, c.without(side, l.metric))
		}
	}
	for _, line := range c.Tables[i].Lines {
		if outcome := l.outcome(line); outcome != Kept {
			found = append(found, Finding{l, line, c.Tables[i].Column, outcome})
		}
	}
	for _, line := range lost {
		found = append(found, Finding{l, line, c.Tables[i].Column, Broken})
	}
	return found, nil
}

// lost are lines of a table whose trials all failed on the other side.
func (c *Comparison) lost(t *Table) (lines []Line) {
	for _, l := range c.Lost {
		if l.Metric == t.Metric && l.Column == t.Column {
			lines = append(lines, Line{Point: l.Point, Side: l.Side, Failed: [2]int{0, l.Failed}})
		}
	}
	return lines
}

// indexOf finds the table of a metric; -1 is none.
func (c *Comparison) indexOf(metric string) int {
	return slices.IndexFunc(c.Tables, func(t Table) bool { return metric == t.Metric || metric == t.Column })
}

// without says that a side was not compared with the base, or not in a metric.
func (c *Comparison) without(side, metric string) string {
	if slices.ContainsFunc(c.Tables, func(t Table) bool { return t.has(side) }) {
		return fmt.Sprintf("%q was not compared between %s and %s", metric, c.Base, side)
	}
	return fmt.Sprintf("nothing was measured in both %s and %s", c.Base, side)
}

func (l Limit) outcome(line Line) Outcome {
	_, lo, hi, ok := line.Percent()
	all, some := lo > l.percent, hi > l.percent
	wrong := stat.Greater
	if !l.above {
		all, some, wrong = hi < l.percent, lo < l.percent, stat.Less
	}
	switch {
	case !ok:
		return l.withoutRatio(line, wrong)
	case line.Ratio.Spread != stat.SpreadCI95:
		return Open
	case all && line.Decision == wrong:
		return Broken
	case some, line.FailsMore():
		return Open
	default:
		return Kept
	}
}

// withoutRatio judges a change from or to 0.
func (l Limit) withoutRatio(line Line, wrong stat.Decision) Outcome {
	switch {
	case line.Decision == wrong && (line.A.Median == 0 || line.B.Median == 0):
		return Broken // without end
	case !line.FailsMore() && (line.Decision == stat.Same || line.Decision.Differs() && line.Decision != wrong):
		return Kept
	default:
		return Open
	}
}
