package plan

import "rpcbench/internal/plan/point"

// Package point declares what a trial measures.
type (
	// A Spec says everything about one trial's measurement.
	Spec = point.Spec
	// A Program is a server that is started by its command.
	Program = point.Program
	// A Link is an emulated one.
	Link = point.Link
	// A Background is a call beside the measured ones.
	Background = point.Background
	Sizes      = point.Sizes
	// A MixedMethod is one call of a mix.
	MixedMethod = point.MixedMethod
	// A Method is a method of a foreign service.
	Method = point.Method
	// RequestSizes distinguishes the requests of a Method.
	RequestSizes = point.RequestSizes
	// A Schedule is a load that changes.
	Schedule = point.Schedule
	// A Stage is a part of a Schedule.
	Stage = point.Stage
)

// WindowsKept is the number of windows that a trial keeps by default.
const WindowsKept = point.WindowsKept

// Loads, as in Spec.Load.
const (
	LoadClosed   = point.LoadClosed
	LoadConstant = point.LoadConstant
	LoadPoisson  = point.LoadPoisson
)

// A Case names the question of a scenario that a trial helps to answer.
type Case struct {
	Scenario string `json:"scenario"`
	Title    string `json:"title"` // of the table in a report: "1 kB echo, one caller"
}

// A Trial is one Spec carried out once: the unit of replication. It is in fresh processes unless it may
// reuse those of an earlier trial.
type Trial struct {
	ID         string `json:"id"`         // a hash of Spec and Repetition
	Repetition int    `json:"repetition"` // 1, 2, …
	Spec       Spec   `json:"spec"`
	Cases      []Case `json:"cases"`           // all that it belongs to, in plan order
	Floor      bool   `json:"floor,omitempty"` // added as the limit that others are set against
	Reuse      bool   `json:"reuse,omitempty"` // goes on with the processes of an earlier trial, if that went well
}

// Point is equal for trials of the same Spec only.
func (t Trial) Point() string { return identity(t.Spec) }

// Check returns a *scenario.Error if no scenario could ask for the trial, with the same limits. Values from a file are checked
// before anything is computed from them.
func (t Trial) Check() error { return point.Asked{Spec: t.Spec, Trials: t.Repetition}.Check() }
