package httpjson

import (
	"encoding/json"
	"net/http"

	"rpcbench/internal/stack"
)

func serve(config stack.ServeConfig) stack.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+stack.JSONPath, func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, func(asked *simpleRequest) (*simpleResponse, error) { return asked.respond(config.Reply) })
	})
	mux.HandleFunc("POST "+stack.JSONBatchPath, func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, func(asked *batch) (*batch, error) { return asked.respond(config.Reply) })
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	handler := stack.AuthorizeHTTP(config.Authorize, mux, func(w http.ResponseWriter, _ *http.Request, reason string) {
		http.Error(w, reason, http.StatusForbidden)
	})
	return stack.ServeHTTP(config, &http.Server{Handler: handler, Protocols: protocols})
}

func answer[Q, A any](w http.ResponseWriter, r *http.Request, respond func(*Q) (*A, error)) {
	encoding := r.Header.Get("Content-Encoding")
	text, err := readBody(r.Body, encoding)
	if err != nil {
		http.Error(w, "cannot read the body: "+err.Error(), http.StatusBadRequest)
		return
	}
	asked := new(Q)
	if err := json.Unmarshal(text, asked); err != nil {
		http.Error(w, "the body is not a JSON request: "+err.Error(), http.StatusBadRequest)
		return
	}
	response, err := respond(asked)
	if err != nil {
		http.Error(w, stack.Reason(err), http.StatusBadRequest)
		return
	}
	send(w, response, encoding)
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
