package httpjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/origin"
)

func serve(config stack.ServeConfig) stack.Server {
	from := stack.NewResponder(config)
	mux := http.NewServeMux()
	mux.Handle("POST "+stack.JSONPath, service[simpleRequest, simpleResponse]{
		limits:  config.Limits,
		respond: func(asked *simpleRequest) (*simpleResponse, error) { return asked.respond(from) },
	})
	mux.Handle("POST "+stack.JSONBatchPath, service[batch, batch]{
		limits: config.Limits, batches: true,
		respond: func(asked *batch) (*batch, error) { return asked.respond(from) },
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	serve := origin.Serve(config.Options, mux)
	handler := stack.AuthorizeHTTP(config.Authorize, serve, func(w http.ResponseWriter, _ *http.Request, reason string) {
		http.Error(w, reason, http.StatusForbidden)
	})
	return stack.ServeHTTP(config, &http.Server{Handler: handler, Protocols: protocols})
}

// A service answers the requests of one path.
type service[Q, A any] struct {
	limits  stack.Limits
	batches bool // Q has operations
	respond func(*Q) (*A, error)
}

// ServeHTTP is http.Handler's.
func (s service[Q, A]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, err := s.read(w, r)
	if err != nil {
		refuse(w, err)
		return
	}
	response, err := s.respond(asked)
	if err != nil {
		refuse(w, err)
		return
	}
	send(w, response, r.Header.Get("Content-Encoding"))
}

// read reads and decodes a request. Its body is measured, and its operations are counted, before they are decoded.
func (s service[Q, A]) read(w http.ResponseWriter, r *http.Request) (*Q, error) {
	most := s.limits.Request(stack.JSONBodyBytesMax)
	text, err := readBody(http.MaxBytesReader(w, r.Body, int64(most)), r.Header.Get("Content-Encoding"), most)
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong || stack.CodeOf(err) == stack.ResourceExhausted {
		return nil, stack.Errorf(stack.ResourceExhausted, "the body has more than %d bytes", most)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the body: %w", err)
	}
	if s.batches && stack.JSONBatchExceeds(text, s.limits.Operations()) {
		return nil, s.limits.CheckOperations(s.limits.Operations() + 1)
	}
	asked := new(Q)
	if err := json.Unmarshal(text, asked); err != nil {
		return nil, fmt.Errorf("the body is not a JSON request: %w", err)
	}
	return asked, nil
}

// refuse answers with the HTTP status for a message that is too large or invalid.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if stack.CodeOf(err) == stack.ResourceExhausted {
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, stack.Reason(err), status)
}

// send sends a response, compressed if the request was.
func send(w http.ResponseWriter, response any, encoding string) {
	text, err := json.Marshal(response)
	if err == nil && encoding == "gzip" {
		w.Header().Set("Content-Encoding", "gzip")
		text, err = compress(text)
	}
	if err != nil {
		http.Error(w, "cannot encode the response: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // a client that is gone can't be told
}
