package grpcgo

import (
	"context"
	"errors"
	"io"
	"strconv"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/stack"
)

// A stream sends messages in a second goroutine while their echoes come back.
type stream struct {
	caller[testpb.SimpleRequest, testpb.SimpleResponse]
	sent chan error
}

func newStream(m methods[testpb.SimpleRequest, testpb.SimpleResponse], call stack.Call, slot int) *stream {
	return &stream{newCaller(m, call, slot), make(chan error, 1)}
}

// Call is stack.Caller's.
func (c *stream) Call(ctx context.Context) error {
	c.replies.Begin()
	open, err := c.methods.stream(ctx)
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
		c.replies.Add(c.methods.reply(response))
	}
}

// An echo is an open stream of ping_pong or burst.
type echo[Q, A any] struct {
	ctx     context.Context
	open    grpc.BidiStreamingClient[Q, A]
	methods methods[Q, A]
	request *Q
}

func openEcho[Q, A any](m methods[Q, A], call stack.Call) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		asking := ctx
		if call.Kind == stack.KindBurst {
			asking = metadata.AppendToOutgoingContext(ctx, stack.BurstMetadata, strconv.Itoa(call.Messages))
		}
		open, err := m.stream(asking)
		if err != nil {
			return nil, failure(ctx, err)
		}
		return &echo[Q, A]{ctx, open, m, m.request()}, nil
	}
}

// Send is stack.MessageStream's. The library gathers what is to be written by itself.
func (e *echo[Q, A]) Send(first uint64, _ bool) error {
	e.methods.number(e.request, first)
	err := e.open.Send(e.request)
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return failure(e.ctx, err)
}

// Recv is stack.MessageStream's. The library makes new memory for every message, but with the pooled codec.
func (e *echo[Q, A]) Recv(buffer stack.Reply) (stack.Reply, error) {
	e.methods.release(buffer)
	answer, err := e.open.Recv()
	if err == nil {
		return e.methods.reply(answer), nil
	}
	if errors.Is(err, io.EOF) {
		return stack.Reply{}, err
	}
	return stack.Reply{}, failure(e.ctx, err)
}
