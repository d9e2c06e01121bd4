package connectgo

import (
	"context"
	"net/http"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// A conn is one HTTP/2 connection and a client for each method on it.
type conn struct {
	info     stack.Info
	link     *link
	inFlight int
	shared   stack.PingPong

	unary, streaming, fromClient, fromServer *client
}

func (c connectGo) dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	l, err := newLink(config)
	if err != nil {
		return nil, err
	}
	if _, err := l.open(ctx); err != nil {
		return nil, stack.Failure(ctx, stack.NetCode(err), err)
	}
	options := c.clientOptions(config)
	made := func(method string) *client {
		url := l.scheme + "://" + l.address + procedure(method)
		return connect.NewClient[request, response](&http.Client{Transport: l}, url, options...)
	}
	return &conn{
		info: c.Info(), link: l, inFlight: config.InFlight,
		unary: made("UnaryCall"), streaming: made("StreamingCall"),
		fromClient: made("StreamingFromClient"), fromServer: made("StreamingFromServer"),
	}, nil
}

func (c connectGo) clientOptions(config stack.DialConfig) []connect.ClientOption {
	list := []connect.ClientOption{connect.WithReadMaxBytes(c.readBytesMax)}
	if c.json {
		list = append(list, connect.WithProtoJSON())
	}
	if config.Compression == stack.CompressionGzip {
		return append(list, connect.WithSendGzip(), connect.WithCompressMinBytes(0))
	}
	return append(list, connect.WithAcceptCompression("gzip", nil, nil)) // else it asks for compressed replies
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := c.info.CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	message := &request{
		ResponseSize: int32(call.ResponseBytes),
		Payload:      &testpb.Payload{Body: call.Request},
	}
	one := caller{message: message, replies: stack.NewReplies(call, 1), count: call.Messages}
	switch call.Kind {
	case stack.KindStream:
		one.client, one.replies = c.streaming, stack.NewReplies(call, call.Messages)
		return &stream{one, make(chan error, 1)}, nil
	case stack.KindPingPong:
		return c.shared.Caller(call, slot, c.inFlight, openEcho(c.streaming, message)), nil
	case stack.KindUpload:
		one.client = c.fromClient
		return &upload{one}, nil
	case stack.KindDownload:
		one.client, one.replies = c.fromServer, stack.NewReplies(call, call.Messages)
		return newDownload(one), nil
	default:
		one.client = c.unary
		return &unary{one}, nil
	}
}

// Close is stack.Conn's.
func (c *conn) Close() error { return c.link.Close() }
