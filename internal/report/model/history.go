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

// A TrendStep is one commit: its median and the ends of its spread.
type TrendStep struct {
	Commit Text       `json:"commit"`
	At     string     `json:"at"`
	Figure [3]float64 `json:"figure"`
	Trials []float64  `json:"trials"`
}

// A TrendShift is a change: the first step after it, and the medians before and after.
type TrendShift struct {
	At     int     `json:"at"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Worse  bool    `json:"worse"`
}

// HistoryOf is a history of series of one metric.
func HistoryOf(metric analysis.Metric, series []archive.Series) History {
	d := metric.Declare()
	h := History{History: []Trend{}, Metric: Metric{
		Name: string(metric), Label: strings.ReplaceAll(d.Name, "_", " "), Unit: unitOf(d), Higher: d.Kind.Better() == stat.Higher,
	}}
	for _, s := range series {
		t := Trend{Point: Text(s.Point), Steps: []TrendStep{}, Changes: []TrendShift{}}
		for _, step := range s.Steps {
			t.Steps = append(t.Steps, TrendStep{Commit: Text(step.Commit), At: step.At.UTC().Format("2006-01-02 15:04"),
				Figure: [3]float64{step.Median, step.Lo, step.Hi}, Trials: step.Trials})
		}
		for _, c := range s.Changes {
			t.Changes = append(t.Changes, TrendShift{At: c.At, Before: c.Before, After: c.After, Worse: c.Worse})
		}
		h.History = append(h.History, t)
	}
	return h
}
