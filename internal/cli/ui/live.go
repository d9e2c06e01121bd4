package ui

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A state is the content of an event about a run.
type state struct {
	Trials  int      `json:"trials"`  // lines of the results file
	Planned int      `json:"planned"` // 0 where that is not known
	Said    []string `json:"said"`
	Done    bool     `json:"done"`
	State   string   `json:"state,omitempty"` // in words, of a run that was started here
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
	if opened, err := s.Dir.Open(ctx, name); err == nil {
		file.read(opened)
		opened.Close()
	}
	now.Trials, now.Planned = file.trials, file.planned
	if run == nil {
		now.Done = file.planned > 0 && file.trials >= file.planned
	}
	return now, changed
}

// growing counts the trials of a results file that grows.
type growing struct {
	size            int64 // that was read
	headed          bool
	trials, planned int
}

// read reads on from where it was.
func (g *growing) read(file io.Reader) {
	seeker, ok := file.(io.Seeker)
	if !ok {
		return
	}
	if _, err := seeker.Seek(g.size, io.SeekStart); err != nil {
		return
	}
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // not whole yet
		}
		g.size += int64(len(line))
		if g.headed {
			g.trials++
			continue
		}
		var header struct {
			Plan []json.RawMessage `json:"plan"`
		}
		_ = json.Unmarshal(line, &header) // what is no header plans nothing
		g.headed, g.planned = true, len(header.Plan)
	}
}
