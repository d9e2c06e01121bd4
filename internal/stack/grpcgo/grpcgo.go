// Package grpcgo is the stack of google.golang.org/grpc: the generated client and server of grpc.testing.BenchmarkService,
// and of BatchService for batches, used as a program would. A connection is one ClientConn with one socket.
//
// It disables what would blur a measurement: service config look-ups, proxies, idle timeouts and retries. A lost connection
// is reopened within reconnectDelayMax.
package grpcgo

import (
	"time"

	"rpcbench/internal/stack"
)

// replyBytesDefault is the client's limit unless it is set: the library's defaultClientMaxReceiveMessageSize.
const replyBytesDefault = 4 << 20

// reconnectDelayMax replaces gRPC's 120 s, so that a server that is back is used at once.
const reconnectDelayMax = time.Second

// New returns the stack "grpc-go".
func New() stack.Stack { return grpcGo{} }

type grpcGo struct{}

// Info is stack.Stack's.
func (grpcGo) Info() stack.Info {
	return stack.Info{
		Name:     "grpc-go",
		Protocol: stack.ProtocolGRPC,
		Module:   "google.golang.org/grpc",
		Serves:   true,
		Calls:    true,
		Kinds: []string{
			stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
			stack.KindBurst, stack.KindUpload, stack.KindDownload, stack.KindBothWays,
		},
		Networks:     stack.Networks(),
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone, stack.CompressionGzip},
		Multiplexed:  true,
		Sizes:        true,
		Stores:       true,
		Methods:      true,
		Options: []stack.Option{
			writeBufferBytes, readBufferBytes, sharedWriteBuffer, bufferPool, windowBytes, codec, streamWorkers,
			stack.GenericResponseOption, stack.SendDeadline,
		},
	}
}
