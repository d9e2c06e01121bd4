// Package connectgo is the Connect protocol by connectrpc.com/connect over the HTTP/2 of net/http, with protobuf or
// JSON messages. It carries grpc.testing.BenchmarkService, without StreamingBothWays, which no call uses, and
// BatchService for batches, by connect's generic clients and handlers.
//
// A connection is one HTTP/2 connection: net/http's pool, which opens further sockets as it sees fit, is left out.
// There is no call that says when a connection is ready for calls, so it can't measure connect.
package connectgo

import (
	"context"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/origin"
)

// New returns the stack "connect-go": protobuf messages.
func New() stack.Stack {
	return connectGo{name: "connect-go", requestBytesMax: stack.EncodedBytesMax}
}

// NewJSON returns the stack "connect-go-json": JSON messages, their payloads in base64.
func NewJSON() stack.Stack {
	return connectGo{name: "connect-go-json", json: true, requestBytesMax: stack.JSONBodyBytesMax}
}

type connectGo struct {
	name            string
	json            bool
	requestBytesMax int
}

// Info is stack.Stack's.
func (c connectGo) Info() stack.Info {
	return stack.Info{
		Name:     c.name,
		Protocol: stack.ProtocolConnect,
		Module:   "connectrpc.com/connect",
		Serves:   true,
		Calls:    true,
		Kinds: []string{
			stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong, stack.KindBurst, stack.KindUpload,
			stack.KindDownload, stack.KindBothWays,
		},
		Networks:     stack.Networks(),
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone, stack.CompressionGzip},
		Multiplexed:  true,
		Sizes:        true,
		Stores:       true,
		Options:      []stack.Option{windowBytes, readFrameBytes, stack.SendDeadline, origin.Option},
	}
}

// Serve is stack.Stack's.
func (c connectGo) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := c.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return c.serve(config)
}

// Dial opens the socket, with TLS where there is any. HTTP/2's settings go with the first call.
func (c connectGo) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := c.Info().CheckDial(config); err != nil {
		return nil, err
	}
	return c.dial(ctx, config)
}

type (
	request  = testpb.SimpleRequest
	response = testpb.SimpleResponse
	batch    = batchv1.Batch
)
