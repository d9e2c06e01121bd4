package require

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/results/analysis"
)

// A figure is a column that can be required something of.
type figure struct {
	name  string // the column's
	unit  unit
	count func(*analysis.Row) int64 // of calls and errors; nil for metrics
}

// A unit says how values are written.
type unit string

const (
	unitTime   unit = "time"  // in ns
	unitBytes  unit = "bytes" // in bytes
	unitNumber unit = "number"
)

// counts are the columns that are no metrics.
var counts = []figure{
	{name: "calls", unit: unitNumber, count: func(row *analysis.Row) int64 { return row.Calls }},
	{name: "errors", unit: unitNumber, count: (*analysis.Row).Errors},
}

// floorRatio is the column of how far a row is from the floor.
const floorRatio = "floor_ratio"

// figureOf finds a column by its name, or by its name without its unit.
func figureOf(name string) (figure, error) {
	known := figures()
	for _, f := range known {
		if name == f.name || name == f.bare() {
			return f, nil
		}
	}
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.bare()
	}
	return figure{}, fmt.Errorf("there is no figure %q%s; the columns of the format csv are its figures, with or without their "+
		"unit: response_p99, calls_per_sec, errors", name, hint.Of(name, names))
}

// Metric finds a metric by its column's name, with or without its unit.
func Metric(name string) (analysis.Metric, error) {
	f, err := figureOf(name)
	if err == nil && !slices.Contains(analysis.Metrics(), analysis.Metric(f.name)) {
		err = fmt.Errorf("%s is no figure of single trials", f.name)
	}
	return analysis.Metric(f.name), err
}

func figures() []figure {
	all := append(slices.Clone(counts), figure{name: floorRatio, unit: unitNumber})
	for _, m := range analysis.Metrics() {
		all = append(all, figure{name: string(m), unit: unitOf(string(m))})
	}
	return all
}

// unitWords are the parts of a column's name that are its unit.
var unitWords = map[string]unit{"ns": unitTime, "bytes": unitBytes}

func unitOf(name string) unit {
	for part := range strings.SplitSeq(name, "_") {
		if u, ok := unitWords[part]; ok {
			return u
		}
	}
	return unitNumber
}

// bare is the name without its unit: response_p99, client_cpu_per_call. A rate's per_sec stays: calls is another column.
func (f figure) bare() string {
	parts := slices.DeleteFunc(strings.Split(f.name, "_"), func(part string) bool {
		_, isUnit := unitWords[part]
		return isUnit
	})
	return strings.Join(parts, "_")
}

// of returns a row's value.
func (f figure) of(row *analysis.Row, share bool) (float64, bool) {
	switch {
	case f.count != nil && share:
		return float64(f.count(row)) / float64(max(row.Calls, 1)), row.Calls > 0
	case f.count != nil:
		return float64(f.count(row)), true
	case f.name == floorRatio:
		return row.FloorRatio()
	default:
		summary, ok := row.Summary(analysis.Metric(f.name))
		return summary.Median, ok
	}
}

// scales of a unit, in the order in which they are tried: "ms" ends in "s".
var scales = map[unit][]struct {
	suffix string
	factor float64
}{
	unitTime:   {{"ns", 1}, {"µs", 1e3}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}},
	unitBytes:  {{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}},
	unitNumber: {{"/s", 1}, {"", 1}},
}

// parse reads a value with its unit.
func (f figure) parse(text string) (value float64, share bool, err error) {
	if number, ok := strings.CutSuffix(text, "%"); ok && f.name == "errors" {
		value, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		return value / 100, true, f.refuse(text, err)
	}
	for _, scale := range scales[f.unit] {
		number, ok := strings.CutSuffix(text, scale.suffix)
		if !ok {
			continue
		}
		if value, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil {
			return value * scale.factor, false, nil
		}
	}
	return 0, false, f.refuse(text, strconv.ErrSyntax)
}

func (f figure) refuse(text string, err error) error {
	if err == nil {
		return nil
	}
	wanted := map[unit]string{
		unitTime: "a time with its unit: 250µs, 5ms, 1.5s", unitBytes: "bytes: 500, 2kB, 1MB", unitNumber: "a number",
	}[f.unit]
	if f.name == "errors" {
		wanted = "a number, or a part of all calls: 0, 0.1%"
	}
	return fmt.Errorf("%q can't be the value of %s, which is %s", text, f.bare(), wanted)
}

// format writes a value in the largest unit that leaves a number of 1 or more.
func (f figure) format(value float64, share bool) string {
	if share {
		return strconv.FormatFloat(100*value, 'g', 3, 64) + "%"
	}
	factor, suffix := 1.0, ""
	for _, scale := range scales[f.unit] {
		if scale.suffix != "us" && scale.suffix != "/s" && scale.suffix != "" && abs(value) >= scale.factor {
			if scale.factor >= factor {
				factor, suffix = scale.factor, " "+scale.suffix
			}
		}
	}
	return strconv.FormatFloat(value/factor, 'g', 4, 64) + suffix
}
