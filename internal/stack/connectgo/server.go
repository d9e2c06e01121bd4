package connectgo

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

type server struct {
	http   *http.Server
	served chan struct{} // closed when serving has ended, with err
	err    error
}

func (c connectGo) serve(config stack.ServeConfig) (*server, error) {
	http2, err := http2Config(config.Options)
	if err != nil {
		return nil, err
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // for unary calls with curl
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(config.TLS == nil)
	s := &server{
		http: &http.Server{
			Handler:   authorize(config.Authorize, newHandler(config.Reply, c.readBytesMax)),
			Protocols: protocols,
			HTTP2:     http2,
			TLSConfig: config.TLS.Clone(),         // the library adds to it
			ErrorLog:  log.New(io.Discard, "", 0), // clients that leave in a handshake are the clients' errors
		},
		served: make(chan struct{}),
	}
	go s.serve(config)
	return s, nil
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

func newHandler(reply func(int) []byte, readBytesMax int) http.Handler {
	s := &service{reply: reply}
	options := []connect.HandlerOption{connect.WithReadMaxBytes(readBytesMax), connect.WithCompressMinBytes(0)}
	mux := http.NewServeMux()
	mux.Handle(procedure("UnaryCall"), connect.NewUnaryHandler(procedure("UnaryCall"), s.unaryCall, options...))
	mux.Handle(procedure("StreamingCall"),
		connect.NewBidiStreamHandler(procedure("StreamingCall"), s.streamingCall, options...))
	mux.Handle(procedure("StreamingFromClient"),
		connect.NewClientStreamHandler(procedure("StreamingFromClient"), s.streamingFromClient, options...))
	mux.Handle(procedure("StreamingFromServer"),
		connect.NewServerStreamHandler(procedure("StreamingFromServer"), s.streamingFromServer, options...))
	return mux
}
