package model

import (
	"strings"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/stat"
)

// A History is the data of a page of histories: a metric over commits.
type History struct {
	Metric  Metric  `json:"metric"`
	History []Trend `json:"history"`
}

// A Trend is one point on one machine and branch.
type Trend struct {
	Point   Text         `json:"point"`
	Steps   []TrendStep  `json:"steps"`
	Changes []TrendShift `json:"changes"`
}

// A TrendStep is one commit: its median and the ends of its spread, and its trials. Those whose calls were not served are nil.
type TrendStep struct {
	Commit Text        `json:"commit"`
	At     string      `json:"at"`
	Figure [3]*float64 `json:"figure"`
	Trials []*float64  `json:"trials"`
}

// A TrendShift is a change: the first step after it, and the medians before and after, nil where calls were not served.
type TrendShift struct {
	At     int      `json:"at"`
	Before *float64 `json:"before"`
	After  *float64 `json:"after"`
	Worse  bool     `json:"worse"`
}

// HistoryOf is a history of series of one metric.
func HistoryOf(metric analysis.Metric, series []archive.Series) History {
	d := metric.Declare()
	h := History{History: []Trend{}, Metric: Metric{
		Name: string(metric), Label: strings.ReplaceAll(d.Name, "_", " "), Unit: unitOf(d), Higher: d.Kind.Better() == stat.Higher,
	}}
	value := func(v float64) *float64 { return served(string(metric), v) }
	for _, s := range series {
		t := Trend{Point: Text(s.Point), Steps: []TrendStep{}, Changes: []TrendShift{}}
		for _, step := range s.Steps {
			next := TrendStep{Commit: Text(step.Commit), At: step.At.UTC().Format("2006-01-02 15:04 UTC"),
				Figure: [3]*float64{value(step.Median), value(step.Lo), value(step.Hi)}}
			for _, trial := range step.Trials {
				next.Trials = append(next.Trials, value(trial))
			}
			t.Steps = append(t.Steps, next)
		}
		for _, c := range s.Changes {
			t.Changes = append(t.Changes, TrendShift{At: c.At, Before: value(c.Before), After: value(c.After), Worse: c.Worse})
		}
		h.History = append(h.History, t)
	}
	return h
}
