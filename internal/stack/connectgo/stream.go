package connectgo

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

type bidi = connect.BidiStreamForClient[request, response]

// A stream sends messages in a second goroutine while their echoes come back.
type stream struct {
	caller
	sent chan error
}

// Call is stack.Caller's.
func (c *stream) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open := c.client.CallBidiStream(life)
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

func (c *stream) send(open *bidi) {
	for range c.count {
		if err := open.Send(c.message); err != nil {
			c.sent <- err
			return
		}
	}
	c.sent <- open.CloseRequest()
}

func (c *stream) receive(open *bidi) error {
	for {
		answer, err := open.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.replies.Add(answer.GetPayload().GetBody())
	}
}

// An echo is an open stream of ping_pong.
type echo struct {
	ctx     context.Context
	open    *bidi
	message *request
}

func openEcho(c *client, message *request) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		return &echo{ctx, c.CallBidiStream(ctx), message}, nil
	}
}

// Send is stack.MessageStream's.
func (e *echo) Send() error {
	err := e.open.Send(e.message)
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
func (e *echo) Recv([]byte) ([]byte, error) {
	answer, err := e.open.Receive()
	switch {
	case err == nil:
		return answer.GetPayload().GetBody(), nil
	case errors.Is(err, io.EOF): // of the stream: the library gives a broken socket's another name
		return nil, io.EOF
	default:
		return nil, failure(e.ctx, err)
	}
}
