// Package httpjson is JSON over HTTP/1.1 with keep-alive, as programs use it with only net/http and encoding/json: a struct
// is encoded, posted, answered and decoded, on both sides within the call. The JSON is that of grpc.testing.SimpleRequest
// and SimpleResponse, with payloads in base64, so it works with every client and server of that service's JSON form: POST
// /grpc.testing.BenchmarkService/UnaryCall. Batches are those of BatchService, an array of operations: POST
// /rpcbench.batch.v1.BatchService/Unary.
//
// A connection is a pool with one socket per slot. There are no streams, and nothing reports when a connection is ready for
// calls. Compression is gzip by Content-Encoding, in both directions. Foreign resources are called as by a program that
// reads bodies to their end and discards them; over HTTP/2 on one socket.
package httpjson

import (
	"context"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/origin"
)

// New returns the stack "http-json-go".
func New() stack.Stack { return httpJSON{} }

type httpJSON struct{}

// Info is stack.Stack's.
func (httpJSON) Info() stack.Info {
	info := stack.JSONClient("http-json-go")
	info.Serves = true
	info.Options = append(info.Options, origin.Option)
	return info
}

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
	isHTTP2, once := stack.HTTPOptions(config.Options)
	return newConn(config, isHTTP2, once), nil
}
