package ui

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"rpcbench/internal/results/result"
)

// A state is the content of an event about a run.
type state struct {
	Trials  int       `json:"trials"`  // that are measured
	Failed  int       `json:"failed"`  // and were not measured again
	Planned int       `json:"planned"` // 0 where that is not known
	Created time.Time `json:"created"` // of the results file, which is another one at another time; zero without a header
	Said    []string  `json:"said"`
	Done    bool      `json:"done"`
	State   string    `json:"state,omitempty"` // in words, of a run that was started here, or has ended
	Stopped bool      `json:"stopped"`         // nobody writes the file, though trials are left
}

const (
	// lookEvery is how often a results file is checked whose writer does not announce trials.
	lookEvery = 300 * time.Millisecond
	// beatEvery is how often something is sent, to detect a peer that has gone.
	beatEvery = 15 * time.Second
	// eventPatience is how long a peer may take to receive an event.
	eventPatience = 10 * time.Second
)

// events reports on a run until it is done, as server-sent events.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	var run *Run
	if s.Runs != nil {
		run = s.Runs.Find(name)
	}
	if opened, err := s.Dir.Open(r.Context(), name); err == nil {
		opened.Close()
	} else if run == nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	send := func(text []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(eventPatience)) // a recorder of tests has none
		_, err := w.Write(text)
		return err == nil && control.Flush() == nil
	}
	look, beat := time.NewTicker(lookEvery), time.NewTicker(beatEvery)
	defer look.Stop()
	defer beat.Stop()
	file := &growing{}
	var last []byte
	for {
		now, changed := s.stateOf(r.Context(), name, run, file)
		text, err := json.Marshal(now)
		if err != nil {
			return
		}
		if !bytes.Equal(text, last) && !send(fmt.Appendf(nil, "data: %s\n\n", text)) || now.Done {
			return
		}
		last = text
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-look.C:
		case <-beat.C:
			if !send([]byte(": \n\n")) {
				return
			}
		}
	}
}

// stateOf returns the state of a run, and a channel that is closed when it changes; nil if it never does.
func (s *server) stateOf(ctx context.Context, name string, run *Run, file *growing) (now state, changed <-chan struct{}) {
	if run != nil { // before the file: what is done is whole
		now.Said, now.Done, changed = run.look()
		now.State = run.State()
	}
	written, known := s.Dir.IsWritten(name) // before it is read: what nobody writes is whole
	if opened, err := s.Dir.Open(ctx, name); err == nil {
		file.read(opened)
		opened.Close()
	}
	now.Trials, now.Failed, now.Planned, now.Created = file.trials(), len(file.failed), file.planned, file.created
	hasEnded := known && !written && file.headed
	switch {
	case run != nil:
	case file.planned > 0:
		now.Done = now.Trials >= file.planned
		now.Stopped = hasEnded && !now.Done
	case hasEnded: // whether its question is answered, only its trials tell
		now.Done, now.State = true, "has ended"
	}
	return now, changed
}

// growing counts the trials of a results file that grows.
type growing struct {
	head    []byte // its first bytes, in which two files differ, as the time when one was created is there
	offset  int64  // bytes of its whole lines
	seen    int64  // its size when it was looked at last
	headed  bool
	created time.Time
	tooLong bool // a line is, and nothing after it is read
	planned int
	good    map[string]bool // by ID, as the last line of each says
	failed  map[string]bool
}

// trials is how many need not be measured again: a trial that failed, or was interrupted, is when the file is resumed.
func (g *growing) trials() int { return len(g.good) }

// maxHead limits the first bytes of a file by which it is told from another.
const maxHead = 4 << 10

// read reads on from where it was. A file that has become shorter, or begins otherwise, is another one, and is read from its
// beginning.
func (g *growing) read(file io.Reader) {
	from, ok := file.(io.ReadSeeker)
	if !ok {
		return
	}
	head, err := headOf(from)
	if err != nil {
		return
	}
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return
	}
	if size < g.seen || !bytes.HasPrefix(head, g.head) {
		*g = growing{}
	}
	g.head = head
	if size == g.seen {
		return
	}
	g.seen = size
	if _, err := from.Seek(g.offset, io.SeekStart); err != nil {
		return
	}
	lines := bufio.NewReader(file)
	for !g.tooLong {
		line, size, err := result.ReadLine(lines)
		if err != nil {
			g.tooLong = errors.Is(err, result.ErrLineTooLong)
			return // or not whole yet
		}
		g.offset += size
		g.take(line)
	}
}

// headOf returns the first bytes of a file.
func headOf(file io.ReadSeeker) ([]byte, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, maxHead))
}

// take takes a whole line. What is no header plans nothing, and what is no trial is not counted.
func (g *growing) take(line []byte) {
	if !g.headed {
		var header struct {
			Created time.Time  `json:"created"`
			Plan    []struct{} `json:"plan"` // only how many there are
		}
		_ = json.Unmarshal(line, &header)
		g.headed, g.created, g.planned = true, header.Created, len(header.Plan)
		g.good, g.failed = map[string]bool{}, map[string]bool{}
		return
	}
	var trial struct {
		ID          string `json:"id"`
		Status      string `json:"status"`
		Interrupted bool   `json:"interrupted"`
	}
	if err := json.Unmarshal(line, &trial); err != nil || trial.ID == "" {
		return
	}
	delete(g.good, trial.ID)
	delete(g.failed, trial.ID)
	switch {
	case trial.Status != result.StatusOK:
		g.failed[trial.ID] = true
	case !trial.Interrupted:
		g.good[trial.ID] = true
	}
}
