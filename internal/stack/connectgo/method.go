package connectgo

import (
	"context"
	"net/http"
	"strconv"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// Paths of the two services.
const (
	benchmarkPath = "/grpc.testing.BenchmarkService/"
	batchPath     = "/rpcbench.batch.v1.BatchService/"
	downloadPath  = benchmarkPath + "StreamingFromServer"
	bothWaysPath  = benchmarkPath + "StreamingBothWays"
)

// Names of the three methods that both services have: unary, of a stream each way, and of a stream from the client.
var (
	benchmarkNames = [3]string{"UnaryCall", "StreamingCall", "StreamingFromClient"}
	batchNames     = [3]string{"Unary", "Stream", "Upload"}
)

// newClient returns a client of one method.
func newClient[Q, A any](l *link, path string, options []connect.ClientOption) *connect.Client[Q, A] {
	return connect.NewClient[Q, A](&http.Client{Transport: l}, l.scheme+"://"+l.address+path, options...)
}

// clients holds the clients for the methods that both services have.
type clients[Q, A any] struct{ unary, upload, stream *connect.Client[Q, A] }

func newClients[Q, A any](l *link, path string, names [3]string, options []connect.ClientOption) clients[Q, A] {
	return clients[Q, A]{
		unary:  newClient[Q, A](l, path+names[0], options),
		stream: newClient[Q, A](l, path+names[1], options),
		upload: newClient[Q, A](l, path+names[2], options),
	}
}

// client has the methods of one of the two services.
func (c clients[Q, A]) client(messages service.Messages[Q, A]) service.Client[Q, A] {
	return service.Client[Q, A]{
		Unary: func(ctx context.Context, asked *Q) (*A, error) {
			answer, err := c.unary.CallUnary(ctx, connect.NewRequest(asked))
			if err != nil {
				return nil, err
			}
			return answer.Msg, nil
		},
		Upload: func(ctx context.Context) (service.Uploading[Q, A], error) {
			life, cancel := context.WithCancel(ctx) //nolint:gosec // the stream's to call
			return uploading[Q, A]{c.upload.CallClientStream(life), cancel}, nil
		},
		Stream: func(ctx context.Context, burst string) (service.Streaming[Q, A], error) {
			open := openStream(ctx, c.stream)
			if burst != "" {
				open.RequestHeader().Set(stack.BurstMetadata, burst)
			}
			return open, nil
		},
		Failure: failure, Messages: messages,
	}
}

// openStream opens a stream both ways.
func openStream[Q, A any](ctx context.Context, method *connect.Client[Q, A]) streaming[Q, A] {
	life, cancel := context.WithCancel(ctx)
	return streaming[Q, A]{method.CallBidiStream(life), life, cancel}
}

// streams opens a stream with that number of messages in each direction.
func (c *conn) streams(messages int) func(ctx context.Context) (service.Streaming[request, response], error) {
	count, both := strconv.Itoa(messages), c.bothWays
	return func(ctx context.Context) (service.Streaming[request, response], error) {
		open := openStream(ctx, both)
		open.RequestHeader().Set(stack.MessagesMetadata, count)
		return open, nil
	}
}

// downloads opens a download of that number of messages.
func (c *conn) downloads(messages int) func(ctx context.Context, asked *request) (service.Receiver[response], error) {
	count, fromServer := strconv.Itoa(messages), c.fromServer
	return func(ctx context.Context, asked *request) (service.Receiver[response], error) {
		asking := connect.NewRequest(asked)
		asking.Header().Set(stack.MessagesMetadata, count)
		open, err := fromServer.CallServerStream(ctx, asking)
		if err != nil {
			return nil, err
		}
		return downloading[response]{open}, nil
	}
}
