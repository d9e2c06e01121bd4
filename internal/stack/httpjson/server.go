package httpjson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"

	"rpcbench/internal/stack"
)

type server struct {
	http   *http.Server
	served chan struct{} // closed when serving has ended, with err
	err    error
}

func serve(config stack.ServeConfig) *server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { answer(w, r, config.Reply) })
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	s := &server{
		http: &http.Server{
			Handler:   authorize(config.Authorize, mux),
			Protocols: protocols,
			TLSConfig: config.TLS.Clone(),         // the library adds to it
			ErrorLog:  log.New(io.Discard, "", 0), // clients that leave in a handshake are the clients' errors
		},
		served: make(chan struct{}),
	}
	go s.serve(config)
	return s
}

func (s *server) serve(config stack.ServeConfig) {
	defer close(s.served)
	var err error
	if config.TLS != nil {
		err = s.http.ServeTLS(config.Listener, "", "")
	} else {
		err = s.http.Serve(config.Listener)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		s.err = err
	}
}

// Stop is stack.Server's.
func (s *server) Stop(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		s.http.Close() // the listener's error is Shutdown's
	}
	<-s.served
	return s.err
}

func answer(w http.ResponseWriter, r *http.Request, reply func(int) []byte) {
	encoding := r.Header.Get("Content-Encoding")
	text, err := readBody(r.Body, encoding)
	if err != nil {
		http.Error(w, "the body can't be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	var asked simpleRequest
	if err := json.Unmarshal(text, &asked); err != nil {
		http.Error(w, "the body is no SimpleRequest: "+err.Error(), http.StatusBadRequest)
		return
	}
	body, n := asked.Payload.bytes(), int(asked.ResponseSize)
	if n < 0 || n > stack.MessageBytesMax {
		text := fmt.Sprintf("responseSize is %d, and must be 0 to %d", n, stack.MessageBytesMax)
		http.Error(w, text, http.StatusBadRequest)
		return
	}
	if n != len(body) {
		body = reply(n)
	}
	respond(w, simpleResponse{Payload: &payload{Body: body}}, encoding)
}

// respond sends a response, compressed if the request was.
func respond(w http.ResponseWriter, response simpleResponse, encoding string) {
	text, err := json.Marshal(response)
	if err == nil && encoding == "gzip" {
		w.Header().Set("Content-Encoding", "gzip")
		text, err = compress(text)
	}
	if err != nil {
		http.Error(w, "the response can't be encoded: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // a client that is gone can't be told
}
