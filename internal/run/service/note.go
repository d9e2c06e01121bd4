package service

import (
	"fmt"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/stack"
)

// Notes says where trials have more calls in flight on a connection than the server accepts at once: the others wait in the
// client, and nothing else shows it.
func (s *Services) Notes(trials []plan.Trial) []plan.Note {
	if s == nil {
		return nil
	}
	type limited struct {
		server         string
		streams, calls int
	}
	var notes []plan.Note
	seen := map[limited]bool{}
	for _, trial := range trials {
		known := s.of(trial)
		l := limited{known.server, known.peer.Streams, streamsOf(trial.Spec)}
		if l.streams == 0 || l.calls <= l.streams || seen[l] {
			continue
		}
		seen[l] = true
		notes = append(notes, plan.Note{Code: plan.NoteStreamLimit, Text: fmt.Sprintf(
			"The server at %s accepts %s at once on a connection, and up to %s are in flight on each: the others wait in the client, "+
				"which is part of their response times. Open more connections (--connections).",
			l.server, number.Count(l.streams, "call"), number.Whole(l.calls))})
	}
	return notes
}

// streamsOf returns how many streams a trial has at once on a connection.
func streamsOf(spec plan.Spec) int {
	if stack.SharesStreams(spec.Kind) {
		return spec.Streams
	}
	return spec.InFlight
}
