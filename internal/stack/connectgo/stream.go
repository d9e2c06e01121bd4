package connectgo

import (
	"context"
	"errors"
	"io"
	"strconv"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// A stream sends messages in a second goroutine while their echoes come back.
type stream struct {
	caller[request, response]
	sent chan error
}

// Call is stack.Caller's.
func (c *stream) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open := c.methods.stream.CallBidiStream(life)
	go c.send(open)
	err := c.receive(open)
	if err != nil {
		cancel() // ends the sender
	}
	// Its EOF only says that the stream has ended.
	if sent := <-c.sent; err == nil && !errors.Is(sent, io.EOF) {
		err = sent
	}
	if err == nil {
		err = open.CloseResponse()
	}
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.End()
	return nil
}

func (c *stream) send(open *connect.BidiStreamForClient[request, response]) {
	for range c.count {
		if err := open.Send(c.request); err != nil {
			c.sent <- err
			return
		}
	}
	c.sent <- open.CloseRequest()
}

func (c *stream) receive(open *connect.BidiStreamForClient[request, response]) error {
	for {
		answer, err := open.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.replies.Add(c.methods.reply(answer))
	}
}

// An echo is an open stream of ping_pong or burst.
type echo[Q, A any] struct {
	ctx     context.Context
	open    *connect.BidiStreamForClient[Q, A]
	methods methods[Q, A]
	request *Q
}

func openEcho[Q, A any](m methods[Q, A], call stack.Call) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		open := m.stream.CallBidiStream(ctx)
		if call.Kind == stack.KindBurst {
			open.RequestHeader().Set(stack.BurstMetadata, strconv.Itoa(call.Messages))
		}
		return &echo[Q, A]{ctx, open, m, m.request()}, nil
	}
}

// Send is stack.MessageStream's. The library writes every message at once.
func (e *echo[Q, A]) Send(first uint64, _ bool) error {
	e.methods.number(e.request, first)
	err := e.open.Send(e.request)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return failure(e.ctx, err)
	}
}

// Recv is stack.MessageStream's. The library makes new memory for every message.
func (e *echo[Q, A]) Recv(stack.Reply) (stack.Reply, error) {
	answer, err := e.open.Receive()
	switch {
	case err == nil:
		return e.methods.reply(answer), nil
	case errors.Is(err, io.EOF): // of the stream: the library gives a broken socket's another name
		return stack.Reply{}, io.EOF
	default:
		return stack.Reply{}, failure(e.ctx, err)
	}
}
