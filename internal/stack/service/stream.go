package service

import (
	"context"
	"errors"
	"io"
	"strconv"

	"rpcbench/internal/stack"
)

// A stream sends messages in a second goroutine while their echoes come back.
type stream[Q, A any] struct {
	caller[Q, A]

	sent chan error
}

// Call is stack.Caller's.
func (c *stream[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	open, err := c.client.Stream(ctx, "")
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	go c.send(open)
	err = c.receive(open)
	// The stream has ended, so that the sender ends too. Its EOF only says so.
	if sent := <-c.sent; err == nil && !errors.Is(sent, io.EOF) {
		err = sent
	}
	if closer, ok := open.(io.Closer); ok {
		if closed := closer.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	c.replies.End()
	return nil
}

func (c *stream[Q, A]) send(open Streaming[Q, A]) {
	for i := range c.count {
		if err := open.Send(c.message(i)); err != nil {
			c.sent <- err
			return
		}
	}
	c.sent <- open.CloseSend()
}

func (c *stream[Q, A]) receive(open Streaming[Q, A]) error {
	for {
		answer, err := open.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.replies.Add(c.client.Reply(answer))
	}
}

// An echo is an open stream of ping_pong or burst.
type echo[Q, A any] struct {
	ctx     context.Context
	open    Streaming[Q, A]
	client  Client[Q, A]
	request *Q
}

func openEcho[Q, A any](client Client[Q, A], call stack.Call) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		burst := ""
		if call.Kind == stack.KindBurst {
			burst = strconv.Itoa(call.Messages)
		}
		open, err := client.Stream(ctx, burst)
		if err != nil {
			return nil, client.Failure(ctx, err)
		}
		return &echo[Q, A]{ctx, open, client, client.Request()}, nil
	}
}

// Send is stack.MessageStream's. Whether it waits for more is the library's to decide.
func (e *echo[Q, A]) Send(message stack.Message, _ bool) (bytes int, err error) {
	e.client.Prepare(e.request, message)
	return 0, e.ended(e.open.Send(e.request))
}

// Recv is stack.MessageStream's.
func (e *echo[Q, A]) Recv(buffer stack.Reply) (stack.Reply, error) {
	if e.client.Release != nil {
		e.client.Release(buffer)
	}
	answer, err := e.open.Recv()
	if err != nil {
		return stack.Reply{}, e.ended(err)
	}
	return e.client.Reply(answer), nil
}

// End is stack.MessageStream's.
func (e *echo[Q, A]) End() error {
	if err := e.ended(e.open.CloseSend()); err != nil && !errors.Is(err, io.EOF) { // after EOF, Recv says why
		return err
	}
	switch _, err := e.open.Recv(); {
	case err == nil:
		return stack.Errorf(stack.Internal, "a message arrived that answers no request")
	case !errors.Is(err, io.EOF):
		return e.ended(err)
	}
	if closer, ok := e.open.(io.Closer); ok {
		return e.ended(closer.Close())
	}
	return nil
}

// ended makes a stack.MessageStream's error of the library's.
func (e *echo[Q, A]) ended(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return e.client.Failure(e.ctx, err)
	}
}
