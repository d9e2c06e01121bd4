// Package grpcwire is a gRPC client built on package wire: the cost of a call without a client library. Messages are encoded
// once, frames are gathered and written together, and replies are read as far as correctness needs; see package wire. It
// calls every server of grpc.testing.BenchmarkService, and of BatchService for batches.
//
// It makes calls without a goroutine for each, as a stack.Pipeline. It also has Callers, as every stack.
package grpcwire

import (
	"context"
	"net"
	"strconv"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// New returns the stack "grpc-wire".
func New() stack.Stack { return grpcWire{} }

type grpcWire struct{}

var windowBytes = stack.Option{
	Name: "window_bytes", Client: true, Numbers: stack.Range{Min: wire.WindowMin, Max: wire.WindowMax},
	Default: strconv.Itoa(wire.WindowMax), Help: "Flow-control window of the connection and of each stream.",
}

// Info is stack.Stack's.
func (grpcWire) Info() stack.Info {
	return stack.Info{
		Name:     "grpc-wire",
		Protocol: stack.ProtocolGRPC,
		Module:   "golang.org/x/net",
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
		Options:      []stack.Option{windowBytes, stack.SendDeadline},
	}
}

// Serve is stack.Stack's. There is no server.
func (g grpcWire) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := g.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return nil, stack.Errorf(stack.Unimplemented, "grpc-wire does not serve")
}

// Dial opens a connection and returns when it is ready: after the server's HTTP/2 settings.
func (g grpcWire) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := g.Info().CheckDial(config); err != nil {
		return nil, err
	}
	client, err := wire.Dial(ctx, wire.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return config.Dial(ctx, config.Network, config.Address)
		},
		TLS: config.TLS, Authority: authority(config), WindowBytes: windowBytes.Int(config.Options),
		MessageBytesMax: stack.EncodedBytesMax,
	})
	if err != nil {
		return nil, err
	}
	return &conn{
		Conn: wire.NewConn(client, config.InFlight), inFlight: config.InFlight, gzip: config.Compression == stack.CompressionGzip,
		share: config.ReplyBytes(), sends: stack.SendDeadline.IsOn(config.Options),
	}, nil
}

// authority returns the authority that requests are sent to.
func authority(config stack.DialConfig) string {
	switch {
	case config.Authority != "":
		return config.Authority
	case config.Network == stack.NetworkUnix:
		return "localhost" // a path is none
	case config.TLS != nil && config.TLS.ServerName != "":
		return config.TLS.ServerName
	}
	return config.Address
}
