package service

import (
	"fmt"
	"slices"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/stack"
)

// Notes says what nothing else shows. Calls wait in the client for the server's leave: those of trials that have more in flight
// on a connection than the server accepts at once, and all if it lets no request follow its header at once. And not all that
// calls may send was tried.
func (s *Services) Notes(trials []plan.Trial) []plan.Note {
	if s == nil {
		return nil
	}
	var notes []plan.Note
	for _, trial := range trials {
		known := s.of(trial)
		for _, note := range append(untried(trial.Spec.Method), known.streamLimit(trial.Spec), known.noWindow(trial.Spec)) {
			if note != (plan.Note{}) && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// streamLimit is no note where all calls find a place.
func (k *known) streamLimit(spec plan.Spec) plan.Note {
	calls := streamsOf(spec)
	if k.peer.Streams == 0 || calls <= k.peer.Streams {
		return plan.Note{}
	}
	return plan.Note{Code: plan.NoteStreamLimit, Text: fmt.Sprintf(
		"The server at %s accepts %s at once on a connection, and up to %s are in flight on each: the others wait in the client, "+
			"which is part of their response times. Open more connections (--connections).",
		k.server, number.Count(k.peer.Streams, "call"), number.Whole(calls))}
}

// noWindow is no note for requests without a body.
func (k *known) noWindow(spec plan.Spec) plan.Note {
	if !k.peer.NoWindow || spec.Method != nil && spec.Method.HTTP && spec.Method.RequestBytesMost == 0 {
		return plan.Note{}
	}
	return plan.Note{Code: plan.NoteNoWindow, Text: fmt.Sprintf(
		"The server at %s gives a new stream no flow-control window (SETTINGS_INITIAL_WINDOW_SIZE 0): each call waits until the "+
			"server has seen its header and lets its request follow.", k.server)}
}

// streamsOf returns how many streams a trial has at once on a connection.
func streamsOf(spec plan.Spec) int {
	if stack.SharesStreams(spec.Kind) {
		return spec.Streams
	}
	return spec.InFlight
}

// untried returns a note for each method whose requests and rows are drawn from more pairs than are tried before a load. Values
// of rows always fit the bodies and URLs of HTTP.
func untried(m *plan.Method) (notes []plan.Note) {
	if m == nil {
		return nil
	}
	for i := range m.Mix {
		notes = append(notes, untried(&m.Mix[i].Method)...)
	}
	pairs := int64(m.RequestCount) * int64(m.RowCount)
	if !m.Sample || m.HTTP || pairs <= recipe.TriesMax {
		return notes
	}
	return append(notes, plan.Note{Code: plan.NoteUntried, Text: fmt.Sprintf(
		"Calls of %s draw from %s pairs of a request and a row, of which %s were tried before the load, with each request and each "+
			"row at least once. If the row's values do not fit in another pair, its calls fail.",
		m.Name, number.Whole(pairs), number.Whole(recipe.TriesMax))})
}
