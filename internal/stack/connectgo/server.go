package connectgo

import (
	"net/http"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

func (c connectGo) serve(config stack.ServeConfig) (stack.Server, error) {
	http2, err := http2Config(config.Options)
	if err != nil {
		return nil, err
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // for unary calls with curl
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(config.TLS == nil)
	handler := authorize(config.Authorize, newHandler(config.Reply, c.readBytesMax))
	return stack.ServeHTTP(config, &http.Server{Handler: handler, Protocols: protocols, HTTP2: http2}), nil
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
