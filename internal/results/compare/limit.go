package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/results/stat"
)

// A Limit is a change that is too much: "response_p99>+5%" or "calls_per_sec<-3%". A line is over it when its difference
// can be told from noise and its median has changed by more.
type Limit struct {
	text    string
	metric  string
	above   bool    // of the base: too much is more than percent; else less than
	percent float64 // above 0 where above, below 0 else
}

// String is the limit as it was written.
func (l Limit) String() string { return l.text }

// Metric is whose change is limited, without its unit.
func (l Limit) Metric() string { return l.metric }

// ParseLimit reads METRIC>+N% or METRIC<-N%. Its error says what was meant.
func ParseLimit(text string) (Limit, error) {
	l := Limit{text: strings.TrimSpace(text)}
	at := strings.IndexAny(l.text, "<>")
	if at <= 0 {
		return l, fmt.Errorf("%q is not a limit for a change, such as response_p99>+5%% or calls_per_sec<-3%%", text)
	}
	l.metric, l.above = strings.TrimSpace(l.text[:at]), l.text[at] == '>'
	number, isPercent := strings.CutSuffix(strings.TrimSpace(l.text[at+1:]), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case !isPercent || err != nil:
		return l, fmt.Errorf("%q: %q is not a change in percent, such as +5%%", text, l.text[at+1:])
	case l.above && percent < 0 || !l.above && percent > 0:
		return l, fmt.Errorf("%q: use > for an increase (>+5%%) and < for a decrease (<-5%%)", text)
	}
	l.percent = percent
	return l, nil
}

// A Breach is a line that is over a limit.
type Breach struct {
	Limit Limit
	Line  Line
}

// Check returns the lines over the limit, and those of which it can't be told because they have too few trials. An error
// says that nothing of the metric was compared.
func (l Limit) Check(c *Comparison) (over []Breach, open []Line, err error) {
	i := slices.IndexFunc(c.Tables, func(t Table) bool { return l.metric == t.Metric || l.metric == t.Column })
	if i < 0 {
		var known []string
		for _, t := range c.Tables {
			known = append(known, t.Metric)
		}
		return nil, nil, fmt.Errorf("%q: %q was not compared%s", l.text, l.metric, hint.Of(l.metric, known))
	}
	for _, line := range c.Tables[i].Lines {
		percent, _, _, ok := line.Percent()
		beyond := ok && (l.above && percent > l.percent || !l.above && percent < l.percent)
		switch {
		case beyond && line.Decision == stat.Differs:
			over = append(over, Breach{l, line})
		case beyond && line.Decision == stat.NeedsTrials:
			open = append(open, line)
		}
	}
	return over, open, nil
}
