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

// A caller is what the Callers of most kinds share.
type caller[Q, A any] struct {
	methods methods[Q, A]
	request *Q
	replies stack.Replies
	count   int // messages
}

func newCaller[Q, A any](m methods[Q, A], call stack.Call, slot int) caller[Q, A] {
	return caller[Q, A]{m, m.request(), stack.NewReplies(call, slot), call.Messages}
}

// After is stack.Caller's.
func (c *caller[Q, A]) After() error { return c.replies.Verify() }

// message returns message i of the call.
func (c *caller[Q, A]) message(i int) *Q {
	c.methods.number(c.request, c.replies.FirstID(i))
	return c.request
}

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

type unary[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *unary[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	answer, err := c.methods.unary(ctx, c.message(0))
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(c.methods.reply(answer))
	c.replies.End()
	return nil
}

type upload[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *upload[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	stream, err := c.methods.upload(ctx)
	if err != nil {
		return failure(ctx, err)
	}
	for i := range c.count {
		if err = stream.Send(c.message(i)); err != nil {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) { // after EOF it is the reply that says why
		return failure(ctx, err)
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(c.methods.reply(answer))
	c.replies.End()
	return nil
}

type download struct {
	client   testpb.BenchmarkServiceClient
	request  *testpb.SimpleRequest
	replies  stack.Replies
	count    int
	metadata metadata.MD
}

func newDownload(client testpb.BenchmarkServiceClient, call stack.Call, slot int) *download {
	return &download{
		client, newRequest(call), stack.NewReplies(call, slot), call.Messages,
		metadata.Pairs(stack.MessagesMetadata, strconv.Itoa(call.Messages)),
	}
}

// After is stack.Caller's.
func (c *download) After() error { return c.replies.Verify() }

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
		c.replies.Add(stack.Reply{Payload: response.GetPayload().GetBody()})
	}
}
