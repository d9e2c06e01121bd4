// Package httpjson is JSON over HTTP/1.1 with keep-alive, as programs do it by net/http and encoding/json alone: a
// struct is encoded, posted, answered and decoded, on both sides inside the call. The JSON is that of
// grpc.testing.SimpleRequest and SimpleResponse, payloads in base64, so that every client and server of that service's
// JSON form is a match: POST /grpc.testing.BenchmarkService/UnaryCall. Batches are those of BatchService, an array of
// operations: POST /rpcbench.batch.v1.BatchService/Unary.
//
// A connection is a pool of as many sockets as it has slots. There are no streams, and nothing that says when a
// connection is ready for calls. Compression is gzip by Content-Encoding, both ways. Resources of others are called as a
// program does that reads bodies to their end and has no use for them; over HTTP/2 on one socket.
package httpjson

import (
	"context"

	"rpcbench/internal/stack"
)

const (
	path      = "/grpc.testing.BenchmarkService/UnaryCall"
	batchPath = "/rpcbench.batch.v1.BatchService/Unary"
)

// bodyBytesMax holds payloads of stack.MessageBytesMax in base64, and what surrounds them: of an operation the names of
// its fields, and 20 digits for the 8 bytes of its id.
const bodyBytesMax = stack.MessageBytesMax/3*4 + stack.BatchMax*operationBytes + 1<<10

const operationBytes = 64

// New returns the stack "http-json-go".
func New() stack.Stack { return httpJSON{} }

type httpJSON struct{}

// Info is stack.Stack's.
func (httpJSON) Info() stack.Info {
	return stack.Info{
		Name:         "http-json-go",
		Protocol:     stack.ProtocolHTTPJSON,
		Serves:       true,
		Calls:        true,
		Kinds:        []string{stack.KindFirstCall, stack.KindUnary},
		Networks:     []string{stack.NetworkTCP, stack.NetworkUnix},
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone, stack.CompressionGzip},
		Methods:      true,
		Options: []stack.Option{
			{Name: optionVersion, Help: "Of HTTP: 1.1, or 2 for resources of others; default 1.1.", Client: true},
			{Name: optionKeepAlive, Help: "Whether a socket serves many calls, true or false; default true.", Client: true},
		},
	}
}

const (
	optionVersion   = "http_version"
	optionKeepAlive = "keep_alive"
)

// Serve is stack.Stack's.
func (h httpJSON) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := h.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return serve(config), nil
}

// Dial opens nothing: the first call of each slot does.
func (h httpJSON) Dial(_ context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := h.Info().CheckDial(config); err != nil {
		return nil, err
	}
	version, err := stack.WordOption(config.Options, optionVersion, "1.1", "2")
	if err != nil {
		return nil, err
	}
	keepAlive, err := stack.WordOption(config.Options, optionKeepAlive, "true", "false")
	if err != nil {
		return nil, err
	}
	return newConn(config, version == "2", keepAlive == "false"), nil
}
