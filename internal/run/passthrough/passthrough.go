// Package passthrough is a minimal gRPC proxy, built on grpc-go: it terminates gRPC and starts it anew, as any proxy for that
// protocol does. It reads no message, routes nothing, and knows no method. Calls keep their method, metadata, messages,
// deadline and status.
//
// Compression and TLS end here: between proxy and server messages are uncompressed and in plaintext. All calls go to the
// server on one connection.
package passthrough

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // which clients may use
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
)

// farewell is how long calls may take to end when the proxy is stopped.
const farewell = time.Second

// A Config says where calls come from and where they go.
type Config struct {
	Listener net.Listener
	TLS      *tls.Config // of clients; nil is plaintext
	// Network and Upstream are of the server: tcp and host:port, or unix and a path.
	Network, Upstream string
}

// Run passes calls on until ctx ends. A server that is not there fails calls, and is tried again with every call.
func Run(ctx context.Context, config Config) error {
	upstream, err := grpc.NewClient("passthrough:///"+config.Upstream,
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, config.Network, config.Upstream)
		}),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithAuthority("localhost"),
		grpc.WithDisableServiceConfig(), grpc.WithDisableRetry(), grpc.WithNoProxy(), grpc.WithIdleTimeout(0),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(frames{}), grpc.MaxCallRecvMsgSize(stack.EncodedBytesMax)),
	)
	if err != nil {
		return errors.Join(err, config.Listener.Close())
	}
	defer upstream.Close()
	options := []grpc.ServerOption{
		grpc.ForceServerCodecV2(frames{}), grpc.UnknownServiceHandler(passer{upstream}.pass),
		grpc.MaxRecvMsgSize(stack.EncodedBytesMax), grpc.WaitForHandlers(true),
	}
	if config.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(config.TLS)))
	}
	server := grpc.NewServer(options...)
	ended := context.AfterFunc(ctx, func() {
		late := time.AfterFunc(farewell, server.Stop)
		defer late.Stop()
		server.GracefulStop()
	})
	defer ended()
	return server.Serve(config.Listener)
}

// A passer passes calls on.
type passer struct{ upstream *grpc.ClientConn }

// pass is a grpc.StreamHandler.
func (p passer) pass(_ any, from grpc.ServerStream) error {
	method, ok := grpc.MethodFromServerStream(from)
	if !ok {
		return status.Error(codes.Internal, "the call has no method")
	}
	ctx, cancel := context.WithCancel(from.Context()) // of a call that fails here, the server hears, too
	defer cancel()
	if asked, ok := metadata.FromIncomingContext(ctx); ok {
		ctx = metadata.NewOutgoingContext(ctx, asked)
	}
	to, err := p.upstream.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method)
	if err != nil {
		return err
	}
	go func() {
		if err := requests(from, to); err != nil {
			cancel()
		}
	}()
	err = replies(to, from)
	from.SetTrailer(to.Trailer())
	return err
}

// requests passes on what the client sends. If the server accepts no more, replies returns the reason.
func requests(from grpc.ServerStream, to grpc.ClientStream) error {
	for {
		var message mem.BufferSlice
		if err := from.RecvMsg(&message); errors.Is(err, io.EOF) {
			return to.CloseSend()
		} else if err != nil {
			return err
		}
		if err := to.SendMsg(message); err != nil {
			return nil //nolint:nilerr // replies has the status that the server ended the call with
		}
	}
}

// replies passes on what the server sends, its headers as soon as they arrive: a client may wait for them before it sends
// a message. A reply without headers stays one.
func replies(from grpc.ClientStream, to grpc.ServerStream) error {
	headers, err := from.Header()
	if err == nil && headers != nil {
		err = to.SendHeader(headers)
	}
	for err == nil {
		var message mem.BufferSlice
		if err = from.RecvMsg(&message); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = to.SendMsg(message)
		}
	}
	return err
}

// frames is a codec that passes messages through.
type frames struct{}

// Name is encoding.CodecV2's. It is empty, so that calls have gRPC's plain content type.
func (frames) Name() string { return "" }

// Marshal implements encoding.CodecV2. The library frees what it has sent.
func (frames) Marshal(v any) (mem.BufferSlice, error) {
	message, ok := v.(mem.BufferSlice)
	if !ok {
		return nil, errors.New("not a message that was received")
	}
	return message, nil
}

// Unmarshal implements encoding.CodecV2. The library frees data afterwards, so the message takes its own reference.
func (frames) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(*mem.BufferSlice)
	if !ok {
		return errors.New("no place for a message")
	}
	data.Ref()
	*message = data
	return nil
}
