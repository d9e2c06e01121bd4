package grpcgo

import (
	"google.golang.org/grpc/encoding"

	"rpcbench/internal/stack"
)

// Words of bufferPool and of codec.
const (
	poolUsual   = "default"
	poolNone    = "none"
	codecProto  = "proto"
	codecPooled = "pooled"
	codecBytes  = "bytes"
)

const bufferBytesMax = 1 << 30

var (
	writeBufferBytes = stack.Option{
		Name: "write_buffer_bytes", Client: true, Server: true, Numbers: stack.Range{Min: 1, Max: bufferBytesMax}, Default: "32768",
		Help: "Bytes gathered before a write to the socket.",
	}
	readBufferBytes = stack.Option{
		Name: "read_buffer_bytes", Client: true, Server: true, Numbers: stack.Range{Min: 1, Max: bufferBytesMax}, Default: "32768",
		Help: "Bytes of a socket's read buffer.",
	}
	sharedWriteBuffer = stack.Option{
		Name: "shared_write_buffer", Client: true, Server: true, Words: stack.Switch(), Default: "false",
		Help: "true has connections share write buffers, which idle ones give back.",
	}
	bufferPool = stack.Option{
		Name: "buffer_pool", Client: true, Server: true, Words: []string{poolUsual, poolNone}, Default: poolUsual,
		Help: "Pool of the memory that messages are read into: default, or none, which allocates each.",
	}
	windowBytes = stack.Option{
		Name: "window_bytes", Client: true, Server: true,
		Numbers: stack.Range{Min: 65535, Max: 1<<31 - 1}, // gRPC ignores less
		Help:    "Fixed flow-control window of connections and streams; default 65535, growing as needed.",
	}
	codec = stack.Option{
		Name: "codec", Client: true, Server: true, Words: []string{codecProto, codecPooled, codecBytes}, Default: codecProto,
		Help: "Codec of messages: proto; pooled, which decodes batches into reused operations; or bytes, which neither encodes nor " +
			"decodes other messages.",
	}
	streamWorkers = stack.Option{
		Name: "stream_workers", Server: true, Numbers: stack.Range{Min: 0, Max: 1 << 16}, Default: "0",
		Help: "Goroutines that handle streams, instead of a new one for each.",
	}
)

// options are a side's options, read. Zero is the library's default.
type options struct {
	writeBuffer, readBuffer, window int
	streamWorkers                   int
	sharedBuffer, unpooled          bool
	codec                           string // a word of codec
	sendDeadline                    bool
	generic                         *generic // nil without the option
}

func readOptions(given map[string]string) options {
	return options{
		writeBuffer: writeBufferBytes.Int(given), readBuffer: readBufferBytes.Int(given), window: windowBytes.Int(given),
		streamWorkers: streamWorkers.Int(given), sharedBuffer: sharedWriteBuffer.IsOn(given),
		unpooled: bufferPool.Word(given) == poolNone, codec: codec.Word(given),
		sendDeadline: stack.SendDeadline.IsOn(given), generic: readGeneric(given),
	}
}

// codecOf returns a codec for all messages of a side; nil is the library's own.
func codecOf(word string) encoding.CodecV2 {
	switch word {
	case codecPooled:
		return newPooled()
	case codecBytes:
		return newBuffers()
	default:
		return nil
	}
}
