package connectgo

import (
	"net/http"

	"rpcbench/internal/stack"
)

// The numbers are the limits of http.HTTP2Config, which ignores values beyond them. A window of a connection below 64 KiB would
// count as unset.
var (
	windowBytes = stack.Option{
		Name: "window_bytes", Client: true, Server: true, Numbers: stack.Range{Min: 64 << 10, Max: 4<<20 - 1},
		Help: "Flow-control window of connections and streams; default net/http's.",
	}
	readFrameBytes = stack.Option{
		Name: "read_frame_bytes", Client: true, Server: true, Numbers: stack.Range{Min: 16 << 10, Max: 16 << 20},
		Help: "Largest HTTP/2 frame to receive; default net/http's.",
	}
)

// streamsMax is the number of streams that a server allows on one connection. net/http's default is 250.
const streamsMax = 1 << 20

func http2Config(options map[string]string) *http.HTTP2Config {
	window := windowBytes.Int(options)
	return &http.HTTP2Config{
		MaxConcurrentStreams:          streamsMax,
		MaxReceiveBufferPerConnection: window,
		MaxReceiveBufferPerStream:     window,
		MaxReadFrameSize:              readFrameBytes.Int(options),
	}
}
