// Package ui serves a folder of results: as pages for a browser, and as an archive to which programs add results.
//
// It has no state except the folder and the runs that it has started. Every request needs a token, and must come from this
// site under one of this server's names. A page runs only rpcbench's own script, and uploads are bounded. A run is rpcbench
// itself as a child process: it may do what rpcbench run may do without a terminal, and nothing that needs consent.
package ui

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
)

// Options configure what is served, and to whom.
type Options struct {
	Dir        *archive.Dir
	Tokens     []Token
	IsHost     func(host string) bool // whether a name is this server's
	TLS        bool
	Runs       *Runs // nil starts none
	Uploads    bool
	UploadMost int64 // bytes of one results file
}

// uploadsAtOnce limits concurrent uploads, which use the disk before they are read.
const uploadsAtOnce = 4

type server struct {
	Options

	uploads chan struct{}
	models  chan struct{} // one is computed at a time: it takes the processors of the run that is followed
}

func newServer(o Options) *server {
	return &server{Options: o, uploads: make(chan struct{}, uploadsAtOnce), models: make(chan struct{}, 1)}
}

// Handler serves a folder.
func Handler(o Options) http.Handler {
	s := newServer(o)
	return &guard{tokens: o.Tokens, isHost: o.IsHost, secure: o.TLS,
		next: func(token Token) http.Handler { return caught{s.routes(token)} }}
}

// caught answers a request whose handler panics, and logs the panic as the server does.
type caught struct{ handler http.Handler }

func (c caught) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &answer{ResponseWriter: w}
	defer func() {
		why := recover()
		if why == nil {
			return
		}
		if answer.hasBegun {
			panic(why) // the peer must not take half of an answer for all
		}
		if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
			server.ErrorLog.Printf("panic in %s %s: %v\n%s", r.Method, plain.Line(r.URL.Path), why, debug.Stack())
		}
		refuse(w, http.StatusInternalServerError, "A defect of rpcbench ended this request: the server's output has the details.")
	}()
	c.handler.ServeHTTP(answer, r)
}

// An answer remembers that it has begun.
type answer struct {
	http.ResponseWriter

	hasBegun bool
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(code int) {
	a.hasBegun = true
	a.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(text []byte) (int, error) {
	a.hasBegun = true
	return a.ResponseWriter.Write(text)
}

// routes returns what the bearer of a token may request.
func (s *server) routes(token Token) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /open/{name}", s.open)
	mux.HandleFunc("GET /compare", s.compare)
	mux.HandleFunc("GET /history", s.history)
	mux.HandleFunc("GET /live/{name}", s.live)
	mux.HandleFunc("GET /events/{name}", s.events)
	mux.HandleFunc("GET /model/{name}", s.model)
	mux.HandleFunc("GET /"+archive.PathEntries, s.entries)
	mux.HandleFunc("GET /"+archive.PathHistory, s.series)
	mux.HandleFunc("GET /"+archive.PathResults+"{name}", s.results)
	if s.Uploads {
		mux.HandleFunc("POST /"+archive.PathEntries, func(w http.ResponseWriter, r *http.Request) { s.add(w, r, token) })
	}
	if s.Runs != nil {
		mux.HandleFunc("POST /runs", s.startRun)
		mux.HandleFunc("POST /runs/{name}/cancel", s.cancelRun)
	}
	return mux
}

// Serve serves until the listener is closed. Nothing waits for a peer that is silent.
func Serve(l net.Listener, h http.Handler, said io.Writer) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 256 << 10,
		ErrorLog: log.New(said, "", 0)}
	if err := s.Serve(l); !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// answerPatience is how long a peer may take for a piece of what it asked for, or for what it sends.
const answerPatience = 2 * time.Minute

// patient gives a peer time for an answer.
func patient(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerPatience)) // a recorder of tests has none
}

// entries lists the archive, for programs.
func (s *server) entries(w http.ResponseWriter, r *http.Request) {
	entries, err := s.Dir.List(r.Context(), archive.QueryOf(r.URL.Query()))
	s.answer(w, append([]archive.Entry{}, entries...), err)
}

// series are histories, for programs.
func (s *server) series(w http.ResponseWriter, r *http.Request) {
	metric, known := analysis.Find(r.URL.Query().Get(archive.MetricField))
	if !known {
		refuse(w, http.StatusBadRequest, "There is no such metric.")
		return
	}
	series, err := s.Dir.History(r.Context(), archive.QueryOf(r.URL.Query()), metric)
	s.answer(w, append([]archive.Series{}, series...), err)
}

// results are those of a file, for programs.
func (s *server) results(w http.ResponseWriter, r *http.Request) {
	file, err := s.Dir.Open(r.Context(), r.PathValue("name"))
	if err != nil {
		s.fail(w, err)
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", "application/x-ndjson")
	s.deliver(w, file)
}

// deliver sends all that a reader has. An answer that can't be completed is cut off: the peer must not take it for all.
func (s *server) deliver(w http.ResponseWriter, from io.Reader) {
	to := &giving{to: w, control: http.NewResponseController(w)}
	sent, err := io.Copy(to, from)
	switch {
	case err == nil || to.isGone:
	case sent == 0:
		s.fail(w, err)
	default:
		panic(http.ErrAbortHandler)
	}
}

// giving ends an answer that stands still, however long it is.
type giving struct {
	to      io.Writer
	control *http.ResponseController
	isGone  bool // the peer
}

// pieceBytes is how much a peer has to take within its patience.
const pieceBytes = 32 << 10

// Write implements io.Writer.
func (g *giving) Write(b []byte) (written int, err error) {
	for piece := range slices.Chunk(b, pieceBytes) {
		_ = g.control.SetWriteDeadline(time.Now().Add(answerPatience)) // a recorder of tests has none
		n, err := g.to.Write(piece)
		written += n
		if err != nil {
			g.isGone = true
			return written, err
		}
	}
	return written, nil
}

// add adds an upload to the archive.
func (s *server) add(w http.ResponseWriter, r *http.Request, token Token) {
	select {
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
	default:
		refuse(w, http.StatusServiceUnavailable, "Too many uploads at once: try again.")
		return
	}
	text, err := base64.StdEncoding.DecodeString(r.Header.Get(archive.FactsHeader))
	if err != nil {
		refuse(w, http.StatusBadRequest, "The header "+archive.FactsHeader+" is not base64.")
		return
	}
	facts, err := archive.ReadFacts(text)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if token.Name != "" {
		facts.Uploader = token.Name
	}
	facts.Added = time.Now().UTC()
	if r.ContentLength > s.UploadMost {
		refuse(w, http.StatusRequestEntityTooLarge, "The results file is too large for this archive.")
		return
	}
	body := &moving{from: http.MaxBytesReader(w, r.Body, s.UploadMost), control: http.NewResponseController(w)}
	entry, isNew, err := s.Dir.Add(r.Context(), "the upload", body, s.UploadMost, facts)
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		refuse(w, http.StatusRequestEntityTooLarge, "The results file is too large for this archive.")
		return
	}
	s.answer(w, archive.Added{Entry: entry, IsNew: isNew}, err)
}

// moving ends an upload that stands still.
type moving struct {
	from    io.Reader
	control *http.ResponseController
}

// uploadPatience is how long nothing of an upload may come.
const uploadPatience = 30 * time.Second

// Read implements io.Reader.
func (m *moving) Read(b []byte) (int, error) {
	_ = m.control.SetReadDeadline(time.Now().Add(uploadPatience)) // a recorder of tests has none
	return m.from.Read(b)
}

// answer writes JSON, or why there is none.
func (s *server) answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	s.deliver(w, bytes.NewReader(text))
}

// fail says what went wrong, to a program.
func (s *server) fail(w http.ResponseWriter, err error) {
	code, sentence := failureOf(err)
	refuse(w, code, sentence)
}

// failureOf returns the status of an error, and a sentence.
func failureOf(err error) (code int, sentence string) {
	switch {
	case errors.Is(err, archive.ErrRefused):
		return http.StatusUnprocessableEntity, err.Error()
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound, "There is no such results file."
	default:
		return http.StatusInternalServerError, err.Error()
	}
}
