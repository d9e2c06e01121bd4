package connectgo

import (
	"crypto/tls"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// authorize asks before every call, and leaves serve as it is where there is nobody to ask. It stands before connect's
// handlers, not in an interceptor, which unary calls reach after their requests are decoded.
func authorize(ask func(tls.ConnectionState) error, serve http.Handler) http.Handler {
	if ask == nil {
		return serve
	}
	errorWriter := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var state tls.ConnectionState
		if r.TLS != nil {
			state = *r.TLS
		}
		if err := ask(state); err != nil {
			denied := connect.NewError(connect.CodePermissionDenied, errors.New(stack.Reason(err)))
			_ = errorWriter.Write(w, r, denied) // a client that is gone can't be told
			return
		}
		serve.ServeHTTP(w, r)
	})
}
