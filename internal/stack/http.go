package stack

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net/http"
)

// ServeHTTP starts a server of net/http on config's listener, with config's TLS and the limits of headers. The rest of the
// server is the adapter's.
func ServeHTTP(config ServeConfig, server *http.Server) Server {
	server.MaxHeaderBytes, server.ReadHeaderTimeout = HeaderBytesMax, config.Limits.HeaderTimeout
	server.TLSConfig = config.TLS.Clone()        // the library adds to it
	server.ErrorLog = log.New(io.Discard, "", 0) // clients that leave in a handshake are the clients' errors
	s := &httpServer{http: server, served: make(chan struct{})}
	go s.serve(config)
	return s
}

type httpServer struct {
	http   *http.Server
	served chan struct{} // closed when serving has ended, with err
	err    error
}

func (s *httpServer) serve(config ServeConfig) {
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

// Stop is Server's.
func (s *httpServer) Stop(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		s.http.Close() // the listener's error is Shutdown's
	}
	<-s.served
	return s.err
}

// AuthorizeHTTP has ask, which is ServeConfig.Authorize, decide on every request before serve sees it; with a nil ask it
// returns serve itself. refuse answers a request that is denied.
func AuthorizeHTTP(
	ask func(tls.ConnectionState) error, serve http.Handler, refuse func(w http.ResponseWriter, r *http.Request, reason string),
) http.Handler {
	if ask == nil {
		return serve
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var state tls.ConnectionState
		if r.TLS != nil {
			state = *r.TLS
		}
		if err := ask(state); err != nil {
			refuse(w, r, Reason(err))
			return
		}
		serve.ServeHTTP(w, r)
	})
}
