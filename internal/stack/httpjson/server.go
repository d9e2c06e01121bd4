package httpjson

import (
	"encoding/json"
	"fmt"
	"net/http"

	"rpcbench/internal/stack"
)

func serve(config stack.ServeConfig) stack.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { answer(w, r, config.Reply) })
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return stack.ServeHTTP(config, &http.Server{Handler: authorize(config.Authorize, mux), Protocols: protocols})
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
