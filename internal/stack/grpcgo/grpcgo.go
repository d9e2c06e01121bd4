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

// Names of options.
const (
	optionWriteBuffer   = "write_buffer_bytes"
	optionReadBuffer    = "read_buffer_bytes"
	optionWindow        = "window_bytes"
	optionStreamWorkers = "stream_workers"
	optionCodec         = "codec"
	optionSharedBuffer  = "shared_write_buffer"
	optionBufferPool    = "buffer_pool"
)

// Values of optionBufferPool.
const (
	poolUsual = "default"
	poolNone  = "none"
)

// Values of optionCodec.
const (
	codecProto  = "proto"
	codecPooled = "pooled"
	codecBytes  = "bytes"
)

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
			{Name: optionWriteBuffer, Help: "Bytes gathered before a write to the socket; default 32768.",
				Client: true, Server: true},
			{Name: optionReadBuffer, Help: "Bytes of a socket's read buffer; default 32768.", Client: true, Server: true},
			{Name: optionSharedBuffer, Help: "true has connections share write buffers, which idle ones give back; default false.",
				Client: true, Server: true},
			{Name: optionBufferPool, Help: "Pool of the memory that messages are read into: default, or none, which allocates each.",
				Client: true, Server: true},
			{Name: optionWindow, Help: "Flow-control window of connections and streams; default 65535, growing as needed.",
				Client: true, Server: true},
			{Name: optionCodec, Help: "Codec of messages: proto; pooled, which decodes batches into reused operations; or bytes, which " +
				"neither encodes nor decodes other messages; default proto.",
				Client: true, Server: true},
			{Name: optionStreamWorkers, Help: "Goroutines that handle streams, instead of a new one for each; default 0.",
				Server: true},
			stack.GenericResponseOption,
			stack.SendDeadline,
		},
	}
}
