package record

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A Window is the responses of a part of a phase.
type Window struct {
	Start, End time.Duration
	Response   *hdrhistogram.Histogram
}

// A series keeps the windows of a phase of any length in bounded memory: when there are more than max, neighbors merge
// and later windows are kept twice as long. With edges the windows from one to the next count as one.
type series struct {
	max     int             // 0 keeps none
	edged   bool            // there are edges
	edges   []time.Duration // that are not reached yet
	width   int             // how many added windows, or stretches between edges, make a kept one
	pending int             // how many the last kept one has so far
	kept    []Window
	spare   []*hdrhistogram.Histogram // empty, for windows to come
}

// newSeries takes all its memory at once. Otherwise the heap would grow second by second, and Go collect garbage ever more
// seldom: the stack under test would get cheaper over the phase.
func newSeries(most int, edges []time.Duration) series {
	s := series{max: most, edges: edges, edged: len(edges) > 0}
	if most == 0 {
		return s
	}
	for range most + 1 {
		s.spare = append(s.spare, NewHistogram())
	}
	return s
}

func (s *series) empty() *hdrhistogram.Histogram {
	last := len(s.spare) - 1
	h := s.spare[last]
	s.spare = s.spare[:last]
	return h
}

// add takes a copy of the window.
func (s *series) add(w Window) {
	if s.max == 0 || w.Response.TotalCount() == 0 && len(s.kept) == 0 && w.End == w.Start {
		return
	}
	begins := s.begins(w)
	if !begins || s.pending > 0 && s.pending < s.width {
		last := &s.kept[len(s.kept)-1]
		last.End = w.End
		last.Response.Merge(w.Response)
		if begins {
			s.pending++
		}
		return
	}
	copied := s.empty()
	copied.Merge(w.Response)
	s.kept = append(s.kept, Window{w.Start, w.End, copied})
	s.pending = 1
	if len(s.kept) > s.max {
		s.halve()
	}
}

// begins reports whether a window begins a stretch, as each window does without edges, and passes the edges before it.
func (s *series) begins(w Window) bool {
	passed := 0
	for passed < len(s.edges) && s.edges[passed] <= w.Start {
		passed++
	}
	s.edges = s.edges[passed:]
	return !s.edged || passed > 0 || len(s.kept) == 0
}

// halve merges neighbors, just after a window was added: the last one kept holds that alone. Without a neighbor it waits
// for one, and with one it goes on being filled, so that all come to hold as many.
func (s *series) halve() {
	full := max(1, s.width)
	s.width = 2 * full
	if len(s.kept)%2 == 0 {
		s.pending = full + 1
	}
	merged := s.kept[:0]
	for i := 0; i < len(s.kept); i += 2 {
		w := s.kept[i]
		if i+1 < len(s.kept) {
			next := s.kept[i+1]
			w.End = next.End
			w.Response.Merge(next.Response)
			next.Response.Reset()
			s.spare = append(s.spare, next.Response)
		}
		merged = append(merged, w)
	}
	clear(s.kept[len(merged):])
	s.kept = merged
}
