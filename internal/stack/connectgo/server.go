package connectgo

import (
	"cmp"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/origin"
	"rpcbench/internal/stack/service"
)

func (c connectGo) serve(config stack.ServeConfig) (stack.Server, error) {
	return c.serveHandler(config, origin.Serve(config.Options, c.newHandler(config)))
}

// ServeOther starts a server like that of the stack "connect-go" with other services, for tests that have their own. Their
// handlers are made with options.
func ServeOther(
	config stack.ServeConfig, register func(mux *http.ServeMux, options []connect.HandlerOption),
) (stack.Server, error) {
	c := New().(connectGo)
	if err := c.Info().CheckServe(config); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	register(mux, c.handlerOptions(config))
	return c.serveHandler(config, mux)
}

func (c connectGo) handlerOptions(config stack.ServeConfig) []connect.HandlerOption {
	return append(boundedCodecs(config.Limits),
		connect.WithReadMaxBytes(config.Limits.Request(c.requestBytesMax)), connect.WithCompressMinBytes(0))
}

func (connectGo) serveHandler(config stack.ServeConfig, handler http.Handler) (stack.Server, error) {
	http2 := http2Config(config.Options)
	http2.MaxConcurrentStreams = cmp.Or(config.Limits.Streams, streamsMax)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // for unary calls with curl
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(config.TLS == nil)
	// Not by an interceptor, which unary calls reach after their requests are decoded.
	handler = stack.AuthorizeHTTP(config.Authorize, handler, deny(connect.NewErrorWriter()))
	return stack.ServeHTTP(config, &http.Server{Handler: handler, Protocols: protocols, HTTP2: http2}), nil
}

func deny(errorWriter *connect.ErrorWriter) func(w http.ResponseWriter, r *http.Request, reason string) {
	return func(w http.ResponseWriter, r *http.Request, reason string) {
		denied := connect.NewError(connect.CodePermissionDenied, errors.New(reason))
		_ = errorWriter.Write(w, r, denied) // a client that is gone can't be told
	}
}

// newHandler answers the benchmark's calls.
func (c connectGo) newHandler(config stack.ServeConfig) http.Handler {
	options := c.handlerOptions(config)
	from := stack.NewResponder(config)
	respond := func(asked *request) (*response, error) { return service.Respond(asked, from) }
	respondBatch := func(asked *batch) (*batch, error) { return asked.Respond(from) }
	mux := http.NewServeMux()
	handle(mux, benchmarkPath, benchmarkNames, answerer[request, response]{from, respond, service.BodyBytes}, options)
	handle(mux, batchPath, batchNames, answerer[batch, batch]{from, respondBatch, (*batch).OperationBytes}, options)
	mux.Handle(downloadPath, connect.NewServerStreamHandler(downloadPath, download(from), options...))
	mux.Handle(bothWaysPath, connect.NewBidiStreamHandler(bothWaysPath, bothWays(respond), options...))
	return mux
}

// handle adds the three methods that both services have.
func handle[Q, A any](
	mux *http.ServeMux, path string, names [3]string, m answerer[Q, A], options []connect.HandlerOption,
) {
	unary, each, last := path+names[0], path+names[1], path+names[2]
	mux.Handle(unary, connect.NewUnaryHandler(unary, m.one, options...))
	mux.Handle(each, connect.NewBidiStreamHandler(each, m.each, options...))
	mux.Handle(last, connect.NewClientStreamHandler(last, m.last, options...))
}
