package ui

import (
	"bytes"
	"context"
	_ "embed" // the templates
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/model"
	"rpcbench/internal/report/page"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

//go:embed pages.html
var pagesText string

// pages parses the templates with the first use: that takes 1 ms, which no worker is to wait for when it starts.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": plain.Line, "commit": archivetable.Commit, "day": archivetable.Day,
		"list": listed, "isLong": func(words []string) bool { return len(listed(words)) > longWords },
		"calls":  func(calls []string) string { return plain.Line(strings.Join(calls, "; ")) },
		"short":  func(text string) string { return plain.Short(text, shownOfCalls) },
		"spaced": spaced,
		"path":   url.PathEscape, "count": number.Count[int],
	}).Parse(pagesText))
})

const (
	longWords    = 16  // characters from which a list of words in a table may be wrapped
	shownOfCalls = 120 // characters of calls in a table
)

func listed(words []string) string { return plain.Line(strings.Join(words, ", ")) }

// spaced is a name of a column in words.
func spaced(name string) string { return plain.Line(strings.ReplaceAll(name, "_", " ")) }

// show writes a page by one of the templates.
func (s *server) show(w http.ResponseWriter, name, title string, of, data any) {
	var body bytes.Buffer
	err := pages().ExecuteTemplate(&body, name, of)
	if err == nil {
		err = s.write(w, page.Page{Title: title, Body: body.String(), Data: data, Served: true})
	}
	if err != nil {
		s.fail(w, err)
	}
}

func (s *server) write(w http.ResponseWriter, p page.Page) error {
	var text bytes.Buffer
	if err := page.Write(&text, p); err != nil {
		return err
	}
	s.html(w, text.Bytes(), "")
	return nil
}

// html writes a page that is whole, with a way back where there is one.
func (s *server) html(w http.ResponseWriter, text []byte, back string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if back != "" {
		text = bytes.Replace(text, []byte("<header>"), []byte(`<nav><a href="`+back+`">All results</a></nav><header>`), 1)
	}
	s.deliver(w, bytes.NewReader(text))
}

// A line is an entry as the list shows it.
type line struct {
	archive.Entry
	Run     *Run // that writes it
	IsShort bool // of the trials that were planned
	HasLive bool // it may still grow
}

// maxShown limits the results files in a list.
const maxShown = 500

// list shows the results files, the newest first.
func (s *server) list(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	entries, err := s.Dir.List(r.Context(), archive.QueryOf(values))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	words := strings.Fields(strings.ToLower(values.Get("q")))
	entries = slices.DeleteFunc(entries, func(e archive.Entry) bool { return !hasWords(e, words) })
	slices.SortStableFunc(entries, func(a, b archive.Entry) int { return b.Created.Compare(a.Created) })
	shown := struct {
		Folder, Search string
		Found          int
		Lines          []line
		HasCommits     bool
		HasCalls       bool
		HasLabels      bool
		Columns        int // besides that of the files
		Runs           []*Run
		Start          *startForm
		Axes           []string
	}{Folder: filepath.Base(s.absolute()), Search: values.Get("q"), Found: len(entries), Axes: compare.AxisNames()}
	for _, e := range entries[:min(len(entries), maxShown)] {
		l := line{Entry: e, IsShort: e.Planned > e.Trials+e.Failed}
		written, known := s.Dir.IsWritten(e.Name)
		l.HasLive = written || l.IsShort && !known
		shown.HasCommits = shown.HasCommits || e.Commit != ""
		shown.HasCalls = shown.HasCalls || len(e.Calls) > 0
		shown.HasLabels = shown.HasLabels || len(e.Labels) > 0
		if s.Runs != nil {
			l.Run = s.Runs.Find(e.Name)
		}
		shown.Lines = append(shown.Lines, l)
	}
	shown.Columns = columnsOf(shown.HasCalls, shown.HasLabels, shown.HasCommits)
	if s.Runs != nil {
		shown.Runs, shown.Start = s.Runs.All(), s.startForm(nil)
		shown.Start.IsOpen = len(shown.Lines) == 0
	}
	s.show(w, "list", "Results", shown, nil)
}

// columnsOf returns how many columns a list has besides that of the files.
func columnsOf(hasCalls, hasLabels, hasCommits bool) int {
	n := 6
	if hasCalls {
		n++
	}
	if hasLabels {
		n++
	}
	if hasCommits {
		n += 2 // and the branch
	}
	return n
}

func (s *server) absolute() string {
	path, err := filepath.Abs(s.Dir.Path())
	if err != nil {
		return s.Dir.Path()
	}
	return path
}

// hasWords reports whether each word is somewhere in an entry.
func hasWords(e archive.Entry, words []string) bool {
	said := []string{e.Name, e.Commit, e.Branch, e.HostClass, e.Host, e.CPU, e.OS, e.Uploader}
	text := strings.ToLower(strings.Join(slices.Concat(said, e.Labels, e.Scenarios, e.Stacks, e.Calls), "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// read reads a results file.
func (s *server) read(ctx context.Context, name string) (*result.File, error) {
	opened, err := s.Dir.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	file, err := result.Read(opened, name)
	if err != nil {
		return nil, err
	}
	if len(file.Trials) == 0 {
		return nil, fs.ErrNotExist
	}
	return file, nil
}

// open shows a report, as rpcbench report --format html writes it.
func (s *server) open(w http.ResponseWriter, r *http.Request) {
	file, err := s.read(r.Context(), r.PathValue("name"))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	built, err := analysis.Build([]*result.File{file})
	var text bytes.Buffer
	if err == nil {
		err = report.Write(&text, report.FormatHTML, built, report.Options{})
	}
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", page.Policy(false)+"; frame-ancestors 'none'")
	s.html(w, text.Bytes(), "../")
}

// commitsOf names results by their commits if all differ, and otherwise by their files.
func (s *server) commitsOf(ctx context.Context, files []*result.File) []string {
	entries, err := s.Dir.List(ctx, archive.Query{})
	commits := make([]string, len(files))
	for i, file := range files {
		at := slices.IndexFunc(entries, func(e archive.Entry) bool { return e.Name == file.Name })
		if err != nil || at < 0 || entries[at].Commit == "" || slices.Contains(commits, archivetable.Commit(entries[at].Commit)) {
			return namesOf(files)
		}
		commits[i] = archivetable.Commit(entries[at].Commit)
	}
	return commits
}

func namesOf(files []*result.File) []string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = file.Name
	}
	return names
}

// maxLines limits the charts on a page of histories.
const maxLines = 60

// history draws a metric over commits.
func (s *server) history(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	metrics, err := s.Dir.Metrics(r.Context())
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	chosen, known := analysis.Find(values.Get(archive.MetricField))
	if !known {
		chosen = analysis.ResponseP50Ns
	}
	query := archive.QueryOf(values)
	series, err := s.Dir.History(r.Context(), query, chosen)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	shown := struct {
		Metrics []analysis.Metric
		Metric  analysis.Metric
		Query   archive.Query
		Series  []archive.Series
		Left    int
		Changes []archivetable.Found
		Name    string // of the metric
		Found   string // a sentence
		Better  string // which direction is

		Confident int // trials from which a spread is an interval
	}{Metrics: metrics, Metric: chosen, Query: query, Changes: archivetable.ChangesOf(series), Name: spaced(chosen.Declare().Name),
		Found: foundOf(series), Better: "Lower", Confident: stat.ConfidenceTrials}
	if chosen.Declare().Kind.Better() == stat.Higher {
		shown.Better = "Higher"
	}
	shown.Series = series[:min(len(series), maxLines)]
	shown.Left = len(series) - len(shown.Series)
	s.show(w, "history", "History of "+shown.Name, shown, model.HistoryOf(chosen, shown.Series))
}

// foundOf says how many changes series have, and of how many nobody can know.
func foundOf(series []archive.Series) string {
	changes, short, longest := 0, 0, 0
	for _, s := range series {
		changes, longest = changes+len(s.Changes), max(longest, len(s.Steps))
		if len(s.Steps) < stat.ChangeLeast {
			short++
		}
	}
	found := "No change found."
	if changes > 0 {
		found = number.Count(changes, "change") + " found."
	}
	switch {
	case short == 0:
		return found
	case short == len(series):
		return fmt.Sprintf("There are too few commits to find a change: a line needs at least %d, and the longest has %d.",
			stat.ChangeLeast, longest)
	default:
		return fmt.Sprintf("%s In %s of %s there are too few commits to find one: a line needs at least %d.", found,
			number.Count(short, "line"), number.Whole(len(series)), stat.ChangeLeast)
	}
}

// live follows a run.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !archive.IsName(name) {
		s.failPage(w, r, fs.ErrNotExist)
		return
	}
	shown := struct {
		Name string
		Run  *Run
	}{Name: name}
	if s.Runs != nil {
		shown.Run = s.Runs.Find(name)
	}
	if file, err := s.Dir.Open(r.Context(), name); err == nil {
		err = file.Close()
		if err != nil {
			s.failPage(w, r, err)
			return
		}
	} else if shown.Run == nil {
		s.failPage(w, r, err)
		return
	}
	s.show(w, "live", "Live: "+name, shown, nil)
}

// model returns the results of a run so far, for its charts.
func (s *server) model(w http.ResponseWriter, r *http.Request) {
	drawn, err := s.modelOf(r.Context(), r.PathValue("name"))
	s.answer(w, drawn, err)
}

// modelOf computes the model of a results file, when no other is being computed.
func (s *server) modelOf(ctx context.Context, name string) (*model.Report, error) {
	select {
	case s.models <- struct{}{}:
		defer func() { <-s.models }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	file, err := s.read(ctx, name)
	if err != nil {
		return nil, err
	}
	built, err := analysis.Build([]*result.File{file})
	if err != nil {
		return nil, err
	}
	return model.Of(built)
}
