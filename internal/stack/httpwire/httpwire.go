// Package httpwire is an HTTP client without an HTTP library: the cost of a call when none is in the way. A request is
// encoded once and written whole. A response is read as far as correctness needs: its status, its length in every form,
// whether the connection stays open, and for our own service its JSON, unless the slot has already found the same bytes to
// be right. It calls every server of the JSON form of grpc.testing.BenchmarkService and of BatchService, as http-json-go
// does, and every foreign resource.
//
// Over HTTP/2 it uses package wire, and a connection is one socket. Over HTTP/1.1 a connection has a socket for each slot,
// with one request at a time. Redirects are not followed. A socket that the server closed while idle is reopened before a
// call. A request that the server has not read, or may get twice, is resent if the connection ends, and is counted. With
// gzip, compressed responses are requested; those of foreign resources stay compressed.
package httpwire

import (
	"context"

	"rpcbench/internal/stack"
)

// New returns the stack "http-wire".
func New() stack.Stack { return httpWire{} }

type httpWire struct{}

// Info is stack.Stack's.
func (httpWire) Info() stack.Info { return stack.JSONClient("http-wire") }

// Serve is stack.Stack's. There is no server.
func (h httpWire) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := h.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return nil, stack.Errorf(stack.Unimplemented, "http-wire does not serve")
}

// Dial opens nothing over HTTP/1.1: the first call of each slot does. Over HTTP/2 it returns after the server's settings.
func (h httpWire) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := h.Info().CheckDial(config); err != nil {
		return nil, err
	}
	isHTTP2, once := stack.HTTPOptions(config.Options)
	if isHTTP2 {
		return dialHTTP2(ctx, config)
	}
	return newConn(config, once), nil
}
