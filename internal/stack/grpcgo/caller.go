package grpcgo

import (
	"context"
	"errors"
	"io"
	"strconv"

	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
)

// A caller is what the Callers of all kinds share.
type caller struct {
	client  testpb.BenchmarkServiceClient
	request *testpb.SimpleRequest
	replies stack.Replies
}

// After is stack.Caller's.
func (c *caller) After() error { return c.replies.Verify() }

// failure makes a call's error of the library's.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	code := stack.Unknown
	if given := status.Code(err); given <= codes.Unauthenticated { // the last of gRPC's
		code = stack.Code(given)
	}
	return stack.Failure(ctx, code, err)
}

type unary struct{ caller }

func newUnary(client testpb.BenchmarkServiceClient, call stack.Call, request *testpb.SimpleRequest) *unary {
	return &unary{caller{client, request, stack.NewReplies(call, 1)}}
}

// Call is stack.Caller's.
func (c *unary) Call(ctx context.Context) error {
	c.replies.Begin()
	response, err := c.client.UnaryCall(ctx, c.request)
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(response.GetPayload().GetBody())
	c.replies.End()
	return nil
}

type upload struct {
	caller
	count int
}

func newUpload(client testpb.BenchmarkServiceClient, call stack.Call, request *testpb.SimpleRequest) *upload {
	return &upload{caller{client, request, stack.NewReplies(call, 1)}, call.Messages}
}

// Call is stack.Caller's.
func (c *upload) Call(ctx context.Context) error {
	c.replies.Begin()
	stream, err := c.client.StreamingFromClient(ctx)
	if err != nil {
		return failure(ctx, err)
	}
	for range c.count {
		if err = stream.Send(c.request); err != nil {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) { // after EOF it is the reply that says why
		return failure(ctx, err)
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(response.GetPayload().GetBody())
	c.replies.End()
	return nil
}

type download struct {
	caller
	count    int
	metadata metadata.MD
}

func newDownload(client testpb.BenchmarkServiceClient, call stack.Call, request *testpb.SimpleRequest) *download {
	return &download{
		caller{client, request, stack.NewReplies(call, call.Messages)}, call.Messages,
		metadata.Pairs(stack.MessagesMetadata, strconv.Itoa(call.Messages)),
	}
}

// Call reads the messages that were asked for. A server that does not know the metadata sends another one then, where
// ours ends the stream: it is read so far and left.
func (c *download) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.client.StreamingFromServer(metadata.NewOutgoingContext(life, c.metadata), c.request)
	if err != nil {
		return failure(ctx, err)
	}
	for got := 0; ; got++ {
		response, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF), err == nil && got == c.count:
			c.replies.End()
			return nil
		case err != nil:
			return failure(ctx, err)
		}
		c.replies.Add(response.GetPayload().GetBody())
	}
}
