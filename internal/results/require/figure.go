package require

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
)

// A figure is a column that can be required something of.
type figure struct {
	column, name string // with its unit and without
	unit         number.Unit
	metric       analysis.Metric           // "" for those that are no metric
	count        func(*analysis.Row) int64 // of calls and errors; nil for others
	counts       func(code string) bool    // errors with this code; nil where count is not of errors
	ofURLs       bool                      // only rows that call a URL have it
}

// ofRows are the columns of rows that are no metrics.
var ofRows = []figure{
	{column: callCount, name: callCount, count: func(row *analysis.Row) int64 { return row.Calls }},
	errorsWith(errorCount, func(string) bool { return true }),
	{column: "floor_ratio", name: "floor_ratio"},
}

const (
	callCount  = "calls"
	errorCount = "errors"
)

// otherNames are other tools' names of figures.
var otherNames = map[string]string{
	"p50": "response_p50", "p75": "response_p75", "p90": "response_p90", "p95": "response_p95", "p99": "response_p99",
	"p999": "response_p999", "p99.9": "response_p999", "p9999": "response_p9999", "p99.99": "response_p9999",
	"max": "response_max", "rps": "calls_per_sec", "qps": "calls_per_sec",
	"throughput": "calls_per_sec", "error_rate": errorCount,
	"mean": "response_mean", "avg": "response_mean", "average": "response_mean",
}

// known returns the name of a column for one that other tools use, however its words are joined.
func known(name string) string {
	words := strings.ReplaceAll(name, "-", "_")
	return cmp.Or(otherNames[strings.TrimPrefix(words, "latency_")], words)
}

// figureOf finds a column by its name, by its name without its unit, or by other tools' name for it.
func figureOf(name string) (figure, error) {
	if name, codes, ok := strings.Cut(name, ":"); ok && known(name) == errorCount {
		return errorsOf(codes)
	}
	column := known(name)
	if i := slices.IndexFunc(ofRows, func(f figure) bool { return f.name == column }); i >= 0 {
		return ofRows[i], nil
	}
	if metric, ok := analysis.Find(column); ok {
		d := metric.Declare()
		return figure{column: string(metric), name: d.Name, unit: d.Kind.Unit(), metric: metric}, nil
	}
	var others []string
	for _, f := range ofRows {
		others = append(others, f.name)
	}
	return figure{}, unknown(name, others, "response_p99, calls_per_sec or errors")
}

// unknown is the error for a name that neither a metric nor another figure has, nor another tool's name for one.
func unknown(name string, others []string, such string) error {
	for _, alias := range slices.Sorted(maps.Keys(otherNames)) {
		if _, isMetric := analysis.Find(otherNames[alias]); isMetric || slices.Contains(others, otherNames[alias]) {
			others = append(others, alias)
		}
	}
	for _, d := range analysis.Declarations() {
		others = append(others, d.Name)
	}
	return fmt.Errorf("unknown figure %q%s", name, cmp.Or(hint.Near(name, others), ": use a column of --format csv, such as "+such))
}

// Metric finds a metric by its column's name, with or without its unit.
func Metric(name string) (analysis.Metric, error) {
	if metric, ok := analysis.Find(known(name)); ok {
		return metric, nil
	}
	if f, err := figureOf(name); err == nil {
		return "", fmt.Errorf("%s is not a figure of single trials", f.name)
	}
	return "", unknown(name, nil, "response_p99 or calls_per_sec")
}

// isOfCalls reports whether the figure is a percentile of calls.
func (f figure) isOfCalls() bool { return f.metric != "" && f.metric.Judged().IsOfAll() }

// of returns a row's value, with its interval over trials. Counts are of all trials together, and have none.
func (f figure) of(row *analysis.Row, share bool) (Finding, bool) {
	exactly := func(value float64) Finding { return Finding{Value: value, Lo: value, Hi: value} }
	switch {
	case f.ofURLs && (row.Spec.Method == nil || !row.Spec.Method.HTTP):
		return Finding{}, false
	case f.count != nil && share:
		return exactly(float64(f.count(row)) / float64(max(row.Calls, 1))), row.Calls > 0
	case f.count != nil:
		return exactly(float64(f.count(row))), true
	case f.metric == "":
		return f.floorRatio(row)
	default:
		s, ok := row.Summary(f.metric.Judged())
		return Finding{Value: s.Median, Lo: s.Lo, Hi: s.Hi, Trials: s.N}, ok
	}
}

func (f figure) floorRatio(row *analysis.Row) (Finding, bool) {
	s, ok := analysis.FloorTimes.Summary(row)
	return Finding{Value: s.Median, Lo: s.Lo, Hi: s.Hi, Trials: s.N}, ok
}

// parse reads a value with its unit; share says that it is a part of all calls.
func (f figure) parse(text string) (value float64, share bool, err error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok && f.counts != nil {
		value, isNumber := number.ParsePercent(percent)
		return value, true, f.refuse(text, isNumber && isShare(value))
	}
	if percent, ok := strings.CutSuffix(text, "%"); ok && f.isPart() {
		value, isNumber := number.ParsePercent(percent)
		return value, false, f.refuse(text, isNumber && isShare(value))
	}
	value, ok := f.unit.Parse(text)
	if f.counts != nil && value > 0 && value < 1 { // as other tools write a part of all calls
		return value, false, fmt.Errorf("%s is less than a call: a part of all calls is written %s%%", text, number.Short(100*value))
	}
	return value, false, f.refuse(text, ok && value >= 0 && (!f.isPart() || isShare(value)))
}

// isShare reports whether a value is a part of all. No figure reaches what lies beyond, so that a bound there is a slip.
func isShare(value float64) bool { return value >= 0 && value <= 1 }

// isPart reports whether the figure is a part of something.
func (f figure) isPart() bool { return f.metric != "" && f.metric.Declare().Kind == analysis.Part }

func (f figure) refuse(text string, isValue bool) error {
	if isValue {
		return nil
	}
	wanted := map[number.Unit]string{
		number.Nanoseconds: "a time with its unit, such as 250µs, 5ms or 1.5s", number.Bytes: "a number of bytes, such " +
			"as 500, 2kB or 1MB",
		number.Joules: "an energy with its unit, such as 20µJ, 0.5mJ or 1J", number.None: "a number",
	}[f.unit]
	if f.isPart() {
		wanted = "a part of 1, or a percentage, such as 0.7 or 70%"
	}
	if f.counts != nil {
		wanted = "a number, or a percentage of all calls, such as 0 or 0.1%"
	}
	return fmt.Errorf("%q is not a value of %s, which is %s", text, f.name, wanted)
}

// format writes a value, which is set against a bound, with a digit more than is usual.
func (f figure) format(value float64, share bool) string {
	switch {
	case share:
		return number.None.Text(100*value) + "%"
	case f.count != nil:
		return number.Whole(int64(value))
	}
	printed := f.unit.Format().At(value)
	if printed.Decimals > 0 {
		printed.Decimals++
	}
	return printed.Text(value)
}
