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
	handle(mux, benchmarkPath, [3]string{"UnaryCall", "StreamingCall", "StreamingFromClient"}, s.respond, bodyBytes, options)
	handle(mux, batchPath, [3]string{"Unary", "Stream", "Upload"}, s.respondBatch, (*batch).OperationBytes, options)
	download := benchmarkPath + "StreamingFromServer"
	mux.Handle(download, connect.NewServerStreamHandler(download, s.streamingFromServer, options...))
	return mux
}

// handle adds the three methods that both services have: unary, of a stream each way, and of a stream from the client.
func handle[Q, A any](
	mux *http.ServeMux, path string, names [3]string, respond func(*Q) (*A, error), size func(*A) int,
	options []connect.HandlerOption,
) {
	m := answerer[Q, A]{respond, size}
	unary, each, last := path+names[0], path+names[1], path+names[2]
	mux.Handle(unary, connect.NewUnaryHandler(unary, m.one, options...))
	mux.Handle(each, connect.NewBidiStreamHandler(each, m.each, options...))
	mux.Handle(last, connect.NewClientStreamHandler(last, m.last, options...))
}
