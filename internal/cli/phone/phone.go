// Package phone serves a page that makes any browser a client: the requested scenarios are measured in it when the user
// presses a button, and the page shows the report.
//
// The address has a secret path, without which nothing is served. One page is served at a time: a newer one replaces an
// older one. The caller runs the trials; closing the page ends the run that it measures.
package phone

import (
	"context"
	_ "embed" // the page's assets, which make web builds
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch/browser"
)

//go:embed assets/phone.html
var document []byte

//go:embed assets/phone.js
var script []byte

//go:embed assets/phone.css
var style []byte

//go:embed assets/worker.js
var workerScript []byte

// A Plan is what would be measured.
type Plan struct {
	Title  string        // a question, or the scenario's name
	Trials int           //
	About  time.Duration // how long they take
}

// A Result is the result of a run.
type Result struct {
	File   string // of its results; empty where there are none
	Failed int    // trials
	Page   []byte // the report as HTML; nil where there is none
}

// A Bench measures what was requested in the browser of its Launcher.
type Bench interface {
	// Plan returns what would be measured. It may start a worker to ask what it supports.
	Plan(ctx context.Context) (Plan, error)
	// Run measures until it is done or ctx ends. What was measured by then is kept. hears is told of each trial.
	Run(ctx context.Context, hears driver.Watcher) (Result, error)
}

// A Server is the page's.
type Server struct {
	Bench    Bench
	Launcher *browser.Launcher
	Secret   string    // the path
	Log      io.Writer // hears of pages and runs, a line each
	App      string    // path of the Android app, which is offered; empty or not there without one
	// Authority is the certificate of the CA that has signed this server's, in PEM, which is offered; nil where the phone has it.
	Authority []byte

	mu     sync.Mutex
	page   *page  // nil without one
	report []byte // of the last run
}

// Handler serves the page and its files.
func (s *Server) Handler() http.Handler {
	root := "/" + s.Secret + "/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"{$}", asset("text/html; charset=utf-8", document))
	mux.HandleFunc("GET "+root+"phone.js", asset("text/javascript; charset=utf-8", script))
	mux.HandleFunc("GET "+root+"phone.css", asset("text/css; charset=utf-8", style))
	mux.HandleFunc("GET "+root+"worker.js", asset("text/javascript; charset=utf-8", workerScript))
	mux.HandleFunc("GET "+root+"page", s.servePage)
	mux.HandleFunc("GET "+root+"worker/{id}", func(w http.ResponseWriter, r *http.Request) {
		s.Launcher.Connect(w, r, r.PathValue("id"))
	})
	mux.HandleFunc("GET "+root+"report", s.serveReport)
	mux.HandleFunc("GET "+root+"rpcbench.apk", s.serveApp)
	if s.Authority != nil {
		mux.HandleFunc("GET "+root+"rpcbench-ca.crt", asset("application/x-x509-ca-cert", s.Authority))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Open the address that rpcbench printed, to its last letter.", http.StatusNotFound)
	})
	return headed(mux)
}

// policy allows the page only its own scripts, and connections to any address, because the servers of trials have separate ports.
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src data:; " +
	"connect-src 'self' http: https: ws: wss:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// headed sets the headers of all answers. An isolated page has a finer clock, in a secure context.
func headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func asset(kind string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(content) // a browser that is gone can't be told
	}
}

// serveReport answers with the last run's report, which allows its own script and nothing else.
func (s *Server) serveReport(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	report := s.report
	s.mu.Unlock()
	if report == nil {
		http.Error(w, "Nothing was measured yet.", http.StatusNotFound)
		return
	}
	w.Header().Del("Content-Security-Policy") // the report has its own
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(report)
}

// appBytes is the size of the Android app; 0 without one.
func (s *Server) appBytes() int64 {
	info, err := os.Stat(s.App)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

func (s *Server) serveApp(w http.ResponseWriter, r *http.Request) {
	if s.appBytes() == 0 {
		http.Error(w, "The Android app was not built: make android builds it.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.android.package-archive")
	http.ServeFile(w, r, s.App)
}

const (
	headerPatience = 10 * time.Second
	idlePatience   = 2 * time.Minute
)

// Serve serves until the context ends. It returns when no run is under way any more.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.mu.Lock()
	page := s.page
	s.mu.Unlock()
	if page != nil {
		page.leave()
		<-page.over
	}
	_ = server.Close()
	return served(<-ended)
}

// served is how a server ended that was closed.
func served(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) sayf(format string, values ...any) { fmt.Fprintf(s.Log, format+"\n", values...) }
