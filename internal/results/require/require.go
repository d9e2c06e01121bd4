// Package require reads requirements such as "response_p99 < 5ms" and holds reports against them.
//
// A requirement is a figure, a comparison and a value. The figure is a column of the format csv, with or without its
// unit; what is compared is the median over trials. The worst row decides: a report meets a requirement when all of its
// rows do. The floor is no candidate, and a row that failed meets none.
package require

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
)

// A Requirement is "METRIC OP VALUE[UNIT]". Make it with Parse.
type Requirement struct {
	text   string
	figure figure
	op     string
	value  float64 // in the figure's unit, or a part of all calls where share is set
	share  bool    // of calls, in errors < 1%
}

// String is the requirement as it was written.
func (r Requirement) String() string { return r.text }

// Figure is what something is required of, without its unit.
func (r Requirement) Figure() string { return r.figure.name }

// OfErrors reports whether the requirement says how many calls may fail.
func (r Requirement) OfErrors() bool { return r.figure.name == errorCount }

// OfRate reports whether the requirement is about how many there were, of calls or of what they carry.
func (r Requirement) OfRate() bool {
	if r.figure.metric == "" {
		return r.figure.name == callCount
	}
	return r.figure.metric.Declare().Kind == analysis.Throughput
}

// operators, the longer ones first, so that "<=" is not read as "<".
var operators = []string{"<=", ">=", "==", "<", ">"}

// Parse reads a requirement. Its error is a sentence that says what was meant.
func Parse(text string) (Requirement, error) {
	for _, op := range operators {
		name, value, ok := strings.Cut(text, op)
		if !ok {
			continue
		}
		r := Requirement{text: strings.TrimSpace(text), op: op}
		var err error
		if r.figure, err = figureOf(strings.TrimSpace(name)); err != nil {
			return r, fmt.Errorf("requirement %q: %w", text, err)
		}
		if r.value, r.share, err = r.figure.parse(strings.TrimSpace(value)); err != nil {
			return r, fmt.Errorf("requirement %q: %w", text, err)
		}
		return r, nil
	}
	return Requirement{}, fmt.Errorf("requirement %q has no operator (<, <=, >, >=, ==); an example is "+
		"response_p99<5ms", text)
}

// ParseAll reads several.
func ParseAll(texts []string) ([]Requirement, error) {
	var all []Requirement
	for _, text := range texts {
		r, err := Parse(text)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Holds tells whether a value, in the unit of the figure's column, meets the requirement.
func (r Requirement) Holds(value float64) bool {
	switch r.op {
	case "<":
		return value < r.value
	case "<=":
		return value <= r.value
	case ">":
		return value > r.value
	case ">=":
		return value >= r.value
	default:
		return value == r.value
	}
}

// A Finding is what a report says to a requirement.
type Finding struct {
	Requirement Requirement
	OK          bool
	Row         *analysis.Row // the worst
	Failed      bool          // the row has no figure, because none of its trials succeeded
	Value       float64       // of the row
}

// Text is the finding's value in the unit that a reader wants.
func (f Finding) Text() string {
	if f.Failed {
		return "failed"
	}
	if f.Value >= analysis.NotServed && f.Requirement.figure.isOfCalls() {
		return f.notServed()
	}
	return f.Requirement.figure.format(f.Value, f.Requirement.share)
}

// notServed says that the percentile lies among calls that failed.
func (f Finding) notServed() string {
	return fmt.Sprintf("∞ (%.3g%% of calls failed)", 100*f.Row.FailedRatio())
}

// Check finds the worst row. An error says that no row has the figure.
func (r Requirement) Check(rows []*analysis.Row) (Finding, error) {
	worst := Finding{Requirement: r, OK: true}
	for _, row := range rows {
		if row.IsFloor() {
			continue
		}
		if len(row.Trials) == 0 {
			return Finding{Requirement: r, Row: row, Failed: true}, nil
		}
		value, ok := r.figure.of(row, r.share)
		if ok && (worst.Row == nil || r.worse(value, worst.Value)) {
			worst.Row, worst.Value = row, value
		}
	}
	if worst.Row == nil {
		return worst, fmt.Errorf("requirement %q: no row has %s", r.text, r.figure.column)
	}
	worst.OK = r.Holds(worst.Value)
	return worst, nil
}

// worse tells whether a is further from meeting the requirement than b.
func (r Requirement) worse(a, b float64) bool {
	switch r.op {
	case "<", "<=":
		return a > b
	case ">", ">=":
		return a < b
	default:
		return math.Abs(a-r.value) > math.Abs(b-r.value)
	}
}

// CheckAll holds rows against all requirements, in their order.
func CheckAll(all []Requirement, rows []*analysis.Row) ([]Finding, error) {
	var findings []Finding
	var problems []error
	for _, r := range all {
		finding, err := r.Check(rows)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		findings = append(findings, finding)
	}
	return findings, errors.Join(problems...)
}

// Met tells whether all findings are good.
func Met(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return !f.OK })
}
