package report

import (
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

type jsonReport struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Sources  []jsonSource      `json:"sources"`
	Warnings []string          `json:"warnings"`
	Mistakes []Mistake         `json:"mistakes"`
	AB       []jsonExperiment  `json:"ab,omitempty"` // of files of ab
	Capacity []jsonCapacity    `json:"capacity,omitempty"`
	Rows     []document.Object `json:"rows"`
	// These are there only where they were asked for.
	Reference    document.Object   `json:"reference,omitempty"`
	Requirements []document.Object `json:"requirements,omitempty"`
}

type jsonSource struct {
	File      string            `json:"file"`
	Created   time.Time         `json:"created"`
	Seed      uint64            `json:"seed"`
	Binary    result.Binary     `json:"binary"`
	Hosts     []result.Host     `json:"hosts"`
	Scenarios []result.Scenario `json:"scenarios"`
	Notes     []plan.Note       `json:"notes"`
}

// jsonTrial is a trial of a row. A failed trial has the metrics that were known when it failed.
type jsonTrial struct {
	File         string             `json:"file"`
	ID           string             `json:"id"`
	Repetition   int                `json:"repetition"`
	Started      time.Time          `json:"started"`
	Status       string             `json:"status"`
	Failure      string             `json:"failure,omitempty"`
	FailureCode  result.FailureCode `json:"failure_code,omitempty"`
	FailureField string             `json:"failure_field,omitempty"`
	LastWords    string             `json:"last_words,omitempty"`
	Verdict      string             `json:"verdict"`
	Findings     []analysis.Finding `json:"findings,omitempty"`
	Stalled      *result.Stalled    `json:"stalled,omitempty"`
	Profiled     bool               `json:"profiled,omitempty"`
	Evidence     []string           `json:"evidence,omitempty"`
	Codec        *result.Codec      `json:"codec,omitempty"`
	Relay        *result.Relay      `json:"relay,omitempty"` // of the emulated link
	Client       jsonSide           `json:"client"`
	Server       jsonSide           `json:"server,omitzero"` // absent where the trial started none
	ElapsedNs    int64              `json:"elapsed_ns"`
	Calls        int64              `json:"calls"`
	Outcomes     []result.Outcome   `json:"outcomes"`
	Metrics      document.Object    `json:"metrics"`
	Clients      []jsonClient       `json:"clients,omitempty"` // each by itself, of several
	Warnings     []result.Warning   `json:"warnings,omitempty"`
}

// jsonClient is one of a trial's clients.
type jsonClient struct {
	jsonSide

	BegunNs   int64            `json:"begun_ns"` // after the first of them
	ElapsedNs int64            `json:"elapsed_ns"`
	Calls     int64            `json:"calls"`
	Outcomes  []result.Outcome `json:"outcomes"`
	Metrics   document.Object  `json:"metrics"`
}

type jsonSide struct {
	Runtime string `json:"runtime"`
	Library string `json:"library"`

	Processors     int                    `json:"processors,omitempty"`
	VirtualMachine *result.VirtualMachine `json:"virtual_machine,omitempty"`
}

func newJSONSide(s result.Side) jsonSide {
	return jsonSide{Runtime: s.Runtime, Library: s.Library, Processors: s.Processors, VirtualMachine: s.VirtualMachine}
}

func newJSONReport(r *analysis.Report, options Options) jsonReport {
	out := jsonReport{Format: "rpcbench-report", Version: document.JSONVersion, Warnings: document.List(r.Warnings),
		Mistakes: document.List(Mistakes(r)), Requirements: options.Checks.Objects()}
	for _, source := range r.Sources {
		h := source.Header
		out.Sources = append(out.Sources, jsonSource{File: source.Name, Created: h.Created, Seed: h.Seed, Binary: h.Binary,
			Hosts: document.List(h.Hosts), Scenarios: document.List(h.Scenarios), Notes: document.List(h.Notes)})
	}
	experiments := pairs.Of(r)
	out.AB, out.Capacity = jsonExperiments(experiments), jsonCapacities(r)
	byClient := isByClient(r.Rows)
	for _, row := range analysis.Flat(r.Rows) {
		out.Rows = append(out.Rows, jsonRow(row, experiments, byClient))
	}
	if ref := options.Reference; ref != nil {
		out.Reference = jsonReference(r, ref)
	}
	return out
}

func jsonRow(row *analysis.Row, experiments []*pairs.Experiment, byClient bool) document.Object {
	var metrics document.Object
	for _, m := range analysis.Metrics() {
		if s, ok := row.Summary(m); ok {
			metrics = append(metrics, analysis.Field{Name: string(m), Value: jsonSummary(m, s)})
		}
	}
	var trials []jsonTrial
	for _, trial := range append(slices.Clip(row.Trials), row.Failed...) {
		trials = append(trials, newJSONTrial(trial))
	}
	out := append(document.Object(columns(row, experiments, byClient)),
		analysis.Field{Name: "outcomes", Value: document.List(row.Outcomes)},
		analysis.Field{Name: "findings", Value: document.List(row.Doubts())},
		analysis.Field{Name: "metrics", Value: metrics},
		analysis.Field{Name: "pooled", Value: jsonPooled(row)},
		analysis.Field{Name: "per_trial", Value: trials},
		analysis.Field{Name: "notes", Value: document.List(append(note.Of(row), note.StripOf(row)...))},
	)
	if along := row.Along(); len(along) > 0 {
		out = append(out, analysis.Field{Name: "along", Value: jsonAlong(row.Spec, along)})
	}
	return out
}

// jsonPooled are the percentiles over all calls of all trials; null where there are too few.
func jsonPooled(row *analysis.Row) document.Object {
	var out document.Object
	for i, ns := range pooledOf(row) {
		field := analysis.Field{Name: pooled[i].name}
		if ns > 0 {
			field.Value = ns
		}
		out = append(out, field)
	}
	return out
}

func jsonSummary(m analysis.Metric, s stat.Summary) document.Object {
	return document.Object{
		{Name: "n", Value: s.N}, {Name: "median", Value: cell.Exact(m, s.Median)}, {Name: "lo", Value: cell.Exact(m, s.Lo)},
		{Name: "hi", Value: cell.Exact(m, s.Hi)}, {Name: "spread", Value: s.Spread},
	}
}

func newJSONTrial(t *analysis.Trial) jsonTrial {
	out := jsonTrial{
		File: t.Source.Name, ID: t.ID, Repetition: t.Repetition, Started: t.Started, Status: t.Status, Failure: t.Failure,
		FailureCode: t.FailureCode, FailureField: t.FailureField, LastWords: t.LastWords, Verdict: t.Verdict(),
		Findings: t.Findings(), Stalled: t.Stalled, Profiled: t.Profiled,
		Evidence: t.Evidence,
		Codec:    t.Codec, Relay: t.Relay, Client: newJSONSide(t.Client),
		Server: newJSONSide(t.Server), ElapsedNs: t.ElapsedNs, Calls: t.Arrivals,
		Outcomes: document.List(t.Outcomes), Metrics: trialMetrics(t), Warnings: t.Warnings,
	}
	for i, one := range t.Apart {
		out.Clients = append(out.Clients, jsonClient{
			jsonSide: newJSONSide(one.Client), BegunNs: t.Trial.Clients[i].BegunNs,
			ElapsedNs: one.ElapsedNs, Calls: one.Arrivals, Outcomes: document.List(one.Outcomes), Metrics: trialMetrics(one),
		})
	}
	return out
}

func trialMetrics(t *analysis.Trial) (metrics document.Object) {
	for _, m := range analysis.Metrics() {
		if value, ok := t.Value(m); ok {
			metrics = append(metrics, analysis.Field{Name: string(m), Value: cell.Exact(m, value)})
		}
	}
	return metrics
}
