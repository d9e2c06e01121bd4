package ui

import (
	"io"
	"net/http"
)

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
