// Package model is what a page draws of a report: points, trials, distributions and courses as numbers, in a form of its own
// that the front end in the folder web reads (web/src/model.ts has the same types). It is made from rows of analysis, comparisons
// and published figures, and computes nothing but what is needed to draw: bins of histograms, and percentiles along the axis of
// HdrHistogram. Figures are rounded as in CSV.
package model

import (
	"encoding/json"
	"slices"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/analysis"
)

// A Text may come from others: it is cut, and contains no hidden characters.
type Text string

// maxText limits the characters of a Text.
const maxText = 200

// MarshalJSON cleans the text.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(plain.Short(string(t), maxText)) }

// A Report is the data to draw. Rows are referred to by number. Of a report whose trials all failed there are no metrics.
type Report struct {
	Metrics   []Metric `json:"metrics"`
	Stacks    []Stack  `json:"stacks"`
	Rows      []Row    `json:"rows"`
	Cases     []Case   `json:"cases"`
	Published []Panel  `json:"published,omitempty"`
	Changes   []Family `json:"changes,omitempty"`
}

// A Metric is a column of Row.Figures and Trial.Values.
type Metric struct {
	Name   string `json:"name"` // as in CSV
	Label  string `json:"label"`
	Unit   string `json:"unit"`
	Higher bool   `json:"higher,omitempty"` // is better
	// Host metrics are of the machine, and are drawn over the time of the run.
	Host bool `json:"host,omitempty"`
}

// A Stack has one color in all charts.
type Stack struct {
	Name  Text `json:"name"`
	Floor bool `json:"floor,omitempty"`
}

// A Case is a table of the report.
type Case struct {
	Title    Text    `json:"title"`
	Headline int     `json:"headline"` // number of the metric that it is about
	Axis     *Axis   `json:"axis,omitempty"`
	Rows     []Place `json:"rows"`
	Spread   string  `json:"spread"` // what lo and hi are
	Open     bool    `json:"open,omitempty"`
}

// A Place is a row in a case.
type Place struct {
	Row    int      `json:"row"`
	Point  Text     `json:"point,omitempty"`  // what tells it from others of its stack and server, beside the axis
	Server Text     `json:"server,omitempty"` // where a stack of the case was measured with several, and of ab "A" or "B"
	X      *float64 `json:"x,omitempty"`      // on the axis
}

// An Axis is the key along which the rows of a case vary.
type Axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
}

// A Row is a measured point.
type Row struct {
	Stack   int        `json:"stack"`
	Verdict Text       `json:"verdict"`
	Why     Text       `json:"why,omitempty"`
	Calls   int64      `json:"calls"`
	Figures []Figure   `json:"figures"` // one for each metric, null where it is absent
	Trials  []Trial    `json:"trials"`
	Curve   [][4]int64 `json:"curve,omitempty"` // see curveOf
	Bins    [][2]int64 `json:"bins,omitempty"`  // see binsOf
}

// A Figure is a median with the ends of its spread.
type Figure []any

// A Trial is one dot.
type Trial struct {
	Repetition int     `json:"rep"`
	AtMs       int64   `json:"at"` // since the first trial of the report began
	Verdict    Text    `json:"verdict"`
	Values     []any   `json:"values"` // one for each metric
	Course     *Course `json:"course,omitempty"`
}

// metrics lists those that a page can draw, in the order of its menu.
var metrics = []analysis.Metric{
	analysis.ResponseP50Ns, analysis.ResponseP90Ns, analysis.ResponseP99Ns, analysis.ResponseP999Ns, analysis.ResponseMaxNs,
	analysis.CallsPerSec, analysis.MessagesPerSec, analysis.OperationsPerSec, analysis.PayloadMBPerSec,
	analysis.NsPerOperation, analysis.OperationMBPerSec, analysis.EncodedBytes, analysis.GzippedBytes,
	analysis.ServiceP50Ns, analysis.ServiceP99Ns, analysis.QueueP99Ns, analysis.WakeP99Ns, analysis.ResponsePerOperation,
	analysis.FirstReplyP50Ns, analysis.FirstReplyP99Ns, analysis.MessageP50Ns, analysis.MessageP99Ns,
	analysis.ClientCPUPerCall, analysis.ServerCPUPerCall, analysis.ClientPacerPerCall, analysis.ProxyCPUPerCall,
	analysis.WireOutPerCall,
	analysis.WireInPerCall, analysis.EnergyPerCall, analysis.ClientHeapBytes, analysis.ServerHeapBytes,
	analysis.ClientGCPauseNs, analysis.ServerGCPauseNs, analysis.FailedRatio,
	analysis.HiccupP99Ns, analysis.HiccupMaxNs, analysis.HostStealRatio, analysis.HostOtherRatio, analysis.HostFrequencyMHz,
	analysis.RelayLateP99Ns,
}

// hostMetrics are of the machine.
var hostMetrics = []analysis.Metric{
	analysis.HiccupP99Ns, analysis.HiccupMaxNs, analysis.HostStealRatio, analysis.HostOtherRatio, analysis.HostFrequencyMHz,
	analysis.RelayLateP99Ns,
}

// byteRates are in MB/s, where other rates are of calls or parts of them.
var byteRates = []analysis.Metric{analysis.PayloadMBPerSec, analysis.OperationMBPerSec, analysis.OperationPlainMBPerSec}

// present are the metrics that one of the rows has.
func present(rows []*analysis.Row) []analysis.Metric {
	return slices.DeleteFunc(slices.Clone(metrics), func(m analysis.Metric) bool {
		return !slices.ContainsFunc(rows, func(row *analysis.Row) bool { _, ok := row.Summary(m); return ok })
	})
}
