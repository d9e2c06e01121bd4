package ui

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"rpcbench/internal/report/page"
	"rpcbench/internal/results/compare"
)

// A refusal is a page that says why there is not the one that was asked for.
type refusal struct {
	Of       string // what it is about: "comparison"
	Title    string
	Sentence string
	Instead  []choice   // what can be compared instead
	Start    *startForm // to be corrected
	Back     string     // the address of the list

	Base, Side string               // that were not compared
	Differ     []compare.Difference // of what is most alike in them
}

// A startForm starts a run. It has what was entered before, as far as it was.
type startForm struct {
	Scenarios                       []string
	Scenario, Stacks, Trials, Label string
	IsOpen                          bool
}

// startForm returns the form, filled in with what another one had.
func (s *server) startForm(entered url.Values) *startForm {
	return &startForm{Scenarios: s.Runs.Scenarios(), Scenario: entered.Get("scenario"), Stacks: entered.Get("stacks"),
		Trials: entered.Get("trials"), Label: entered.Get("label")}
}

// refuse writes the page.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, code int, shown refusal) {
	shown.Back = cmp.Or(strings.Repeat("../", strings.Count(r.URL.EscapedPath(), "/")-1), "./")
	var body, text bytes.Buffer
	err := pages().ExecuteTemplate(&body, "refused", shown)
	if err == nil {
		err = page.Write(&text, page.Page{Title: shown.Title, Body: body.String(), Served: true})
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	s.deliver(w, &text)
}

// failPage says what went wrong, in a browser.
func (s *server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	code, sentence := failureOf(err)
	title := "Not shown"
	if code == http.StatusNotFound {
		title = "Not found"
	}
	s.refuse(w, r, code, refusal{Of: "results", Title: title, Sentence: sentence})
}
