package naming

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// A Question is the kind of thing that a table is asked.
type Question int

// Questions, from the least demanding to the most.
const (
	Setup     Question = iota // how long does it take until a connection has carried a call?
	Latency                   // how long does a call take?
	Rate                      // how many calls a second?
	Streaming                 // how many messages and bytes?
	Batching                  // how many operations?
	Open                      // how long does a user wait, at a given rate?
	Coding                    // how long does a message take to be encoded or decoded, and how large is it?
)

// QuestionOf returns what a table is asked: its most demanding row decides.
func QuestionOf(rows []*analysis.Row) Question {
	asked := Setup
	for _, row := range rows {
		asked = max(asked, QuestionAt(row.Spec))
	}
	return asked
}

// QuestionAt returns what is asked at a point.
func QuestionAt(spec plan.Spec) Question {
	switch {
	case spec.Coding():
		return Coding
	case !spec.Closed():
		return Open
	case spec.Batch > 0:
		return Batching
	case spec.Streaming(), spec.Kind == stack.KindPingPong && spec.Slots() > 1:
		return Streaming
	case spec.Opens():
		return Setup
	case spec.Slots() > 1:
		return Rate
	default:
		return Latency
	}
}

// HeadlineOf returns the metric that a table is about: that of its question, or else that of its last row, before which is the
// floor.
func HeadlineOf(rows []*analysis.Row) analysis.Metric {
	switch QuestionOf(rows) {
	case Batching:
		return analysis.OperationsPerSec
	case Streaming:
		return analysis.MessagesPerSec
	case Open:
		return analysis.ResponseP99Ns
	default:
		return rows[len(rows)-1].Headline()
	}
}
