// Package httpwire is JSON over HTTP/1.1 without an HTTP library: what a call costs when none is in its way. A request is
// encoded once and written whole, a response is read as far as correctness needs: its status, its length in every form,
// whether the connection goes on, and its JSON, where it is not what the slot has already found to be right. It calls
// every server of the JSON form of grpc.testing.BenchmarkService and of BatchService, as http-json-go does.
//
// A connection is a socket for each slot, with one request at a time on it. Nothing is retried, redirected or compressed.
package httpwire

import (
	"context"

	"rpcbench/internal/stack"
)

// New returns the stack "http-wire".
func New() stack.Stack { return httpWire{} }

type httpWire struct{}

// Info is stack.Stack's.
func (httpWire) Info() stack.Info {
	return stack.Info{
		Name:         "http-wire",
		Protocol:     stack.ProtocolHTTPJSON,
		Calls:        true,
		Kinds:        []string{stack.KindFirstCall, stack.KindUnary},
		Networks:     []string{stack.NetworkTCP, stack.NetworkUnix},
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone},
	}
}

// Serve is stack.Stack's. There is no server.
func (h httpWire) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := h.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return nil, stack.Errorf(stack.Unimplemented, "http-wire does not serve")
}

// Dial opens nothing: the first call of each slot does.
func (h httpWire) Dial(_ context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := h.Info().CheckDial(config); err != nil {
		return nil, err
	}
	return newConn(config), nil
}
