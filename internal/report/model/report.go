package model

import (
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// Of makes the model of a report. A case is a table of it, with the same number.
func Of(r *analysis.Report) (*Report, error) {
	b := &builder{metrics: present(r.Rows), rows: map[*analysis.Row]int{}, first: firstOf(r.Rows), limits: limitsOf(r.Rows),
		report: Report{Metrics: []Metric{}, Stacks: []Stack{}, Rows: []Row{}, Cases: []Case{}}}
	for _, m := range b.metrics {
		d := m.Declare()
		b.report.Metrics = append(b.report.Metrics, Metric{Name: string(m), Label: strings.ReplaceAll(d.Name, "_", " "),
			Unit: unitOf(d), Higher: d.Kind.Better() == stat.Higher, Host: slices.Contains(hostMetrics, m)})
	}
	for _, row := range r.Rows {
		if err := b.addRow(row); err != nil {
			return nil, err
		}
	}
	for _, table := range r.Tables {
		b.addCase(table)
	}
	return &b.report, nil
}

// unitOf returns the unit of a metric's values on the page.
func unitOf(d *analysis.Declaration) string {
	switch {
	case d.Kind.Unit() != number.None:
		return string(d.Kind.Unit())
	case slices.Contains(byteRates, d.Metric):
		return "MB/s"
	case d.Kind == analysis.Throughput:
		return "/s"
	default:
		return ""
	}
}

type builder struct {
	report  Report
	metrics []analysis.Metric
	rows    map[*analysis.Row]int
	first   time.Time
	limits  limits
}

// firstOf returns when the first trial began.
func firstOf(rows []*analysis.Row) (first time.Time) {
	for _, row := range rows {
		for _, trial := range row.Trials {
			if first.IsZero() || trial.Started.Before(first) {
				first = trial.Started
			}
		}
	}
	return first
}

func (b *builder) addRow(row *analysis.Row) error {
	b.rows[row] = len(b.report.Rows)
	out := Row{Stack: b.stack(row), Verdict: Text(row.Verdict()), Calls: row.Calls,
		Figures: []Figure{}, Trials: []Trial{}}
	if doubts := row.Doubts(); len(doubts) > 0 {
		out.Why = Text(doubts[0].Why)
	}
	for _, m := range b.metrics {
		var figure Figure
		if s, ok := row.Summary(m); ok {
			figure = Figure{drawn(m, s.Median), drawn(m, s.Lo), drawn(m, s.Hi)}
		}
		out.Figures = append(out.Figures, figure)
	}
	var err error
	if out.Curve, err = curveOf(row, b.limits.curvePoints); err != nil {
		return err
	}
	out.Bins = binsOf(row)
	for _, trial := range row.Trials {
		one, err := b.trial(trial)
		if err != nil {
			return err
		}
		out.Trials = append(out.Trials, one)
	}
	b.report.Rows = append(b.report.Rows, out)
	return nil
}

func (b *builder) trial(trial *analysis.Trial) (Trial, error) {
	out := Trial{Repetition: trial.Repetition, AtMs: trial.Started.Sub(b.first).Milliseconds(), Verdict: Text(trial.Verdict()),
		Values: []any{}}
	for _, m := range b.metrics {
		var value any
		if v, ok := trial.Value(m); ok {
			value = drawn(m, v)
		}
		out.Values = append(out.Values, value)
	}
	var err error
	out.Course, err = courseOf(trial, b.limits)
	return out, err
}

// drawn returns a value as in CSV; an unbounded one, such as the percentile of unserved calls, is absent.
func drawn(m analysis.Metric, value float64) any {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return cell.Exact(m, value)
}

// stack is the number of a row's stack, which has the same color in all charts.
func (b *builder) stack(row *analysis.Row) int {
	stack := Stack{Name: Text(naming.Stack(row)), Floor: row.IsFloor()}
	i := slices.Index(b.report.Stacks, stack)
	if i < 0 {
		i = len(b.report.Stacks)
		b.report.Stacks = append(b.report.Stacks, stack)
	}
	return i
}
