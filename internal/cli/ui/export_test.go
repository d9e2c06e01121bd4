package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"rpcbench/internal/results/archive"
)

// Follow looks at a results file in one state after the other, and returns what it says of each.
func Follow(states ...string) []string {
	var said []string
	file := &growing{}
	for _, text := range states {
		file.read(strings.NewReader(text))
		line := fmt.Sprintf("%d of %d", file.trials(), file.planned)
		if failed := len(file.failed); failed > 0 {
			line += fmt.Sprintf(", %d failed", failed)
		}
		if !file.created.IsZero() {
			line += file.created.Format(" since 15:04")
		}
		said = append(said, line)
	}
	return said
}

// State is what a live page is told about a results file that this server has not started.
func State(dir *archive.Dir, name string) string {
	now, _ := newServer(Options{Dir: dir}).stateOf(context.Background(), name, nil, &growing{})
	text, err := json.Marshal(now)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// AnswerPatience is answerPatience.
const AnswerPatience = answerPatience

// Deliver sends all that a reader has.
func Deliver(w http.ResponseWriter, from io.Reader) { new(server).deliver(w, from) }

// Words waits for a run's end, and returns the lines that it printed.
func Words(r *Run) []string {
	for {
		said, done, changed := r.look()
		if done {
			return said
		}
		<-changed
	}
}

// Models serves models of a folder. The first waits for one that is being computed until release.
func Models(dir *archive.Dir) (h http.Handler, release func()) {
	s := newServer(Options{Dir: dir})
	s.models <- struct{}{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /model/{name}", s.model)
	return mux, func() { <-s.models }
}
