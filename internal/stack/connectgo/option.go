package connectgo

import (
	"net/http"

	"rpcbench/internal/stack"
)

// The limits of http.HTTP2Config, which ignores values beyond them. A window of a connection below 64 KiB would count as unset.
const (
	windowBytesMin = 64 << 10
	windowBytesMax = 4<<20 - 1
	frameBytesMin  = 16 << 10
	frameBytesMax  = 16 << 20
)

// streamsMax is the number of streams that a server allows on one connection. net/http's default is 250.
const streamsMax = 1 << 20

func http2Config(options map[string]string) (*http.HTTP2Config, error) {
	window, err := stack.IntOption(options, optionWindow, windowBytesMin, windowBytesMax)
	if err != nil {
		return nil, err
	}
	frame, err := stack.IntOption(options, optionFrame, frameBytesMin, frameBytesMax)
	if err != nil {
		return nil, err
	}
	return &http.HTTP2Config{
		MaxConcurrentStreams:          streamsMax,
		MaxReceiveBufferPerConnection: window,
		MaxReceiveBufferPerStream:     window,
		MaxReadFrameSize:              frame,
	}, nil
}
