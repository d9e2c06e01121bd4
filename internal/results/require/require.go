// Package require reads requirements such as "response_p99 < 5ms" and holds reports against them.
//
// A requirement is a figure, a comparison and a value. The figure is a column of the format csv, with or without its
// unit; what is compared is its interval over trials, so there are three outcomes. The worst row decides: a report meets a
// requirement when all of its rows do. The floor is no candidate, and a row that failed meets none.
package require

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
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

// Figure returns the name of the required figure, without its unit.
func (r Requirement) Figure() string { return r.figure.name }

// OfErrors reports whether the requirement says how many calls may fail with a code.
func (r Requirement) OfErrors(code string) bool {
	return r.figure.counts != nil && r.figure.counts(code)
}

// OfRate reports whether the requirement is about a rate, of calls or of their payload.
func (r Requirement) OfRate() bool {
	if r.figure.metric == "" {
		return r.figure.name == callCount
	}
	return r.figure.metric.Declare().Kind == analysis.Throughput
}

// Samples returns the number of calls that a trial needs for the figure; 0 if it is not a percentile.
func (r Requirement) Samples() int {
	if r.figure.metric == "" {
		return 0
	}
	if q := r.figure.metric.Declare().Quantile; q > 0 && q < 1 {
		return stat.SamplesNeeded(q)
	}
	return 0
}

// operators, the longer ones first, so that "<=" is not read as "<".
var operators = []string{"<=", ">=", "==", "<", ">"}

// Parse parses a requirement. Its error is a sentence that says what is expected.
func Parse(text string) (Requirement, error) {
	for _, op := range operators {
		name, value, ok := strings.Cut(text, op)
		if !ok {
			continue
		}
		r := Requirement{text: strings.TrimSpace(text), op: op}
		var err error
		if r.figure, err = figureOf(strings.TrimSpace(name)); err != nil {
			return r, fmt.Errorf("requirement %q: %w", text, cmp.Or(ofK6(name, op, value), err))
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

// Holds reports whether a value, in the unit of the figure's column, meets the requirement.
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

// A Finding is a report's result for a requirement.
type Finding struct {
	Requirement Requirement
	Outcome     Outcome
	Row         *analysis.Row // the one that decides: of those with the gravest outcome, the worst
	Failed      bool          // the row has no figure, because none of its trials succeeded
	Value       float64       // of the row
	Lo, Hi      float64       // of its interval over Trials; Value where there is none
	Trials      int           // that the interval is over; 0 or 1 where there is none
	Why         string        // it is inconclusive
}

// Holds reports whether the value alone meets the requirement, whatever its spread.
func (f Finding) Holds() bool { return !f.Failed && f.Requirement.Holds(f.Value) }

// Text returns the finding's value in a readable unit.
func (f Finding) Text() string {
	if f.Failed {
		return "failed"
	}
	return f.text(f.Value)
}

// Interval is the interval of the value over trials in words; "" where there is none.
func (f Finding) Interval() string {
	if f.Trials < 2 {
		return ""
	}
	lo, hi, trials := f.text(f.Lo), f.text(f.Hi), number.Count(f.Trials, "trial")
	if lo == hi {
		return trials
	}
	return fmt.Sprintf("%s to %s, %s", lo, hi, trials)
}

func (f Finding) text(value float64) string {
	if value >= analysis.NotServed && f.Requirement.figure.isOfCalls() {
		return f.notServed()
	}
	return f.Requirement.figure.format(value, f.Requirement.share)
}

// notServed says that the percentile lies among calls that failed.
func (f Finding) notServed() string {
	return fmt.Sprintf("∞ (%.3g%% of calls failed)", 100*f.Row.FailedRatio())
}

// Check finds the row that decides. An error says that no row has the figure.
func (r Requirement) Check(rows []*analysis.Row) (Finding, error) {
	worst := Finding{Requirement: r}
	for _, row := range rows {
		if row.IsFloor() {
			continue
		}
		if len(row.Trials) == 0 {
			return Finding{Requirement: r, Row: row, Failed: true, Outcome: NotMet}, nil
		}
		f, ok := r.figure.of(row, r.share)
		if !ok {
			continue
		}
		f.Requirement, f.Row = r, row
		if f = r.judge(row, f); worst.Row == nil || r.worse(f, worst) {
			worst = f
		}
	}
	if worst.Row == nil {
		return worst, fmt.Errorf("requirement %q: no row has %s", r.text, r.figure.column)
	}
	return worst, nil
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
