package progress

import (
	"io"
	"sync"
)

// maxNotes is the maximum number of bytes of unwritten notes. Further notes are dropped, since they only repeat what results
// say.
const maxNotes = 1 << 20

// A screen writes in a separate goroutine, so that measuring does not wait for a stopped terminal (Ctrl-S) or a pipe without a
// reader.
type screen struct {
	mu      sync.Mutex
	notes   string // that are not written yet
	line    string // the last that was drawn, unless it is written
	writing bool
	writer  sync.WaitGroup
}

// draw writes a line, unless another is drawn before it comes to that.
func (s *screen) draw(out io.Writer, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = line
	s.begin(out)
}

// note writes a text, in place of the line.
func (s *screen) note(out io.Writer, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notes)+len(text) <= maxNotes {
		s.notes += text
	}
	s.line = ""
	s.begin(out)
}

// begin starts the writer.
func (s *screen) begin(out io.Writer) {
	if !s.writing {
		s.writing = true
		s.writer.Go(func() { s.write(out) })
	}
}

// write writes pending output.
func (s *screen) write(out io.Writer) {
	for text := s.take(); text != ""; text = s.take() {
		_, _ = io.WriteString(out, text) // a terminal that is gone shows nothing
	}
}

// take returns the next output. An empty text ends the writing.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.notes + s.line
	s.notes, s.line = "", ""
	s.writing = text != ""
	return text
}

// flush waits until all is written.
func (s *screen) flush() { s.writer.Wait() }
