package grpcgo

import (
	"context"
	"errors"
	"io"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// A stream sends messages in a second goroutine while their echoes come back.
type stream struct {
	caller
	count int
	sent  chan error
}

func newStream(client testpb.BenchmarkServiceClient, call stack.Call, request *testpb.SimpleRequest) *stream {
	return &stream{caller{client, request, stack.NewReplies(call, call.Messages)}, call.Messages, make(chan error, 1)}
}

// Call is stack.Caller's.
func (c *stream) Call(ctx context.Context) error {
	c.replies.Begin()
	open, err := c.client.StreamingCall(ctx)
	if err != nil {
		return failure(ctx, err)
	}
	go c.send(open)
	err = c.receive(open)
	// The stream has ended, so that the sender ends too. Its EOF only says so.
	if sent := <-c.sent; err == nil && !errors.Is(sent, io.EOF) {
		err = sent
	}
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.End()
	return nil
}

func (c *stream) send(open testpb.BenchmarkService_StreamingCallClient) {
	for range c.count {
		if err := open.Send(c.request); err != nil {
			c.sent <- err
			return
		}
	}
	c.sent <- open.CloseSend()
}

func (c *stream) receive(open testpb.BenchmarkService_StreamingCallClient) error {
	for {
		response, err := open.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.replies.Add(response.GetPayload().GetBody())
	}
}

// An echo is an open stream of ping_pong.
type echo struct {
	ctx     context.Context
	open    testpb.BenchmarkService_StreamingCallClient
	request *testpb.SimpleRequest
}

func openEcho(client testpb.BenchmarkServiceClient, request *testpb.SimpleRequest) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		open, err := client.StreamingCall(ctx)
		if err != nil {
			return nil, failure(ctx, err)
		}
		return &echo{ctx, open, request}, nil
	}
}

// Send is stack.MessageStream's.
func (e *echo) Send() error {
	err := e.open.Send(e.request)
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return failure(e.ctx, err)
}

// Recv is stack.MessageStream's. The library makes new memory for every message.
func (e *echo) Recv([]byte) ([]byte, error) {
	response, err := e.open.Recv()
	if err == nil {
		return response.GetPayload().GetBody(), nil
	}
	if errors.Is(err, io.EOF) {
		return nil, err
	}
	return nil, failure(e.ctx, err)
}
