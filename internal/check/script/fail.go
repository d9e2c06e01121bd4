package script

import (
	"io"
	"net/http"

	"rpcbench/internal/stack"
)

// serveFailures answers every call with an error, as the server of a library in trouble would over HTTP. It is a bare handler, so
// that the client sees the protocol's bytes rather than its own library's behavior.
func serveFailures(config stack.ServeConfig, info stack.Info) (stack.Server, error) {
	answer := failures[info.Protocol]
	if answer == nil {
		return nil, stack.Errorf(stack.InvalidArgument, "option %s: fail is for protocols over HTTP, %s is not", Option, info.Protocol)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a client that is gone can't be told
		answer(w)
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(config.TLS == nil)
	return stack.ServeHTTP(config, &http.Server{Handler: handler, Protocols: protocols}), nil
}

// failures are the protocols' answers for an internal error: gRPC uses HTTP 200 as always, and the others the status.
var failures = map[string]func(w http.ResponseWriter){
	stack.ProtocolGRPC: func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Grpc-Status", "13")
		w.Header().Set("Grpc-Message", "the script says so")
	},
	stack.ProtocolConnect: func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"code":"internal","message":"the script says so"}`)
	},
	stack.ProtocolHTTPJSON: func(w http.ResponseWriter) {
		http.Error(w, "the script says so", http.StatusInternalServerError)
	},
}
