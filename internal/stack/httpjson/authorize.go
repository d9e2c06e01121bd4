package httpjson

import (
	"crypto/tls"
	"net/http"

	"rpcbench/internal/stack"
)

// authorize asks before every call, and leaves serve as it is where there is nobody to ask.
func authorize(ask func(tls.ConnectionState) error, serve http.Handler) http.Handler {
	if ask == nil {
		return serve
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var state tls.ConnectionState
		if r.TLS != nil {
			state = *r.TLS
		}
		if err := ask(state); err != nil {
			http.Error(w, stack.Reason(err), http.StatusForbidden)
			return
		}
		serve.ServeHTTP(w, r)
	})
}
