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
	lines, lost := c.of(l.metric)
	if len(lines)+len(lost) == 0 && l.name != "" {
		lines, lost = c.of(l.name)
	}
	if len(lines)+len(lost) == 0 {
		var known []string
		for _, t := range c.Tables {
			known = append(known, t.Metric)
		}
		return nil, fmt.Errorf("%q: %q was not compared%s", l.text, l.metric, hint.Of(l.metric, known))
	}
	for _, side := range c.Sides {
		if !slices.ContainsFunc(slices.Concat(lines, lost), func(f Finding) bool { return f.Line.Side == side }) {
			return nil, fmt.Errorf("%q: %s", l.text, c.without(side, l.metric))
		}
	}
	for _, f := range lines {
		if f.Outcome = l.outcome(f.Line); f.Outcome != Kept {
			found = append(found, f)
		}
	}
	found = append(found, lost...)
	for i := range found {
		found[i].Limit = l
	}
	return found, nil
}

// of returns the lines of a metric, by its name or its column's, and the points of which all trials failed on another side.
func (c *Comparison) of(metric string) (lines, lost []Finding) {
	is := func(name, column string) bool { return metric == name || metric == column }
	if i := slices.IndexFunc(c.Tables, func(t Table) bool { return is(t.Metric, t.Column) }); i >= 0 {
		for _, line := range c.Tables[i].Lines {
			lines = append(lines, Finding{Line: line, Column: c.Tables[i].Column})
		}
	}
	for _, l := range c.Lost {
		if is(l.Metric, l.Column) {
			line := Line{Point: l.Point, Side: l.Side, Failed: [2]int{0, l.Failed}}
			lost = append(lost, Finding{Line: line, Column: l.Column, Outcome: Broken})
		}
	}
	return lines, lost
}

// without says that a side was not compared with the base, or not in a metric.
func (c *Comparison) without(side, metric string) string {
	if slices.ContainsFunc(c.Tables, func(t Table) bool { return t.has(side) }) {
		return fmt.Sprintf("%q was not compared between %s and %s", metric, c.Base, side)
	}
	return fmt.Sprintf("nothing was measured in both %s and %s", c.Base, side)
}

// beyond reports whether a ratio in percent is beyond the limit by more than its logarithm rounds.
func (l Limit) beyond(percent float64) bool {
	ratio, limit := 100+percent, 100+l.percent
	if l.above {
		return ratio > limit*(1+1e-9)
	}
	return ratio < limit*(1-1e-9)
}

func (l Limit) outcome(line Line) Outcome {
	_, lo, hi, ok := line.Percent()
	all, some, wrong := l.beyond(lo), l.beyond(hi), stat.Greater
	if !l.above {
		all, some, wrong = some, all, stat.Less
	}
	switch {
	case !ok:
		return l.withoutRatio(line, wrong)
	case line.Ratio.Spread != stat.SpreadCI95:
		return Open
	case all && line.Decision == wrong:
		return Broken
	case some, line.FailsMore(), line.Few > 0, line.Machine != nil && line.Decision == stat.Untold:
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
	case !line.FailsMore() && line.Few == 0 && (line.Decision == stat.Same || line.Decision.Differs() && line.Decision != wrong):
		return Kept
	default:
		return Open
	}
}
