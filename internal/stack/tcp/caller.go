package tcp

import (
	"context"

	"rpcbench/internal/stack"
)

// A caller is what the Callers of all kinds share.
type caller struct {
	socket  *socket
	request []byte // the whole frame
	replies stack.Replies
	buffer  []byte
}

// After is stack.Caller's.
func (c *caller) After() error { return c.replies.Verify() }

func (c *caller) receive(replies int) error {
	for range replies {
		reply, err := c.socket.receive(c.buffer)
		c.buffer = reply
		if err != nil {
			return err
		}
		c.replies.Add(reply)
	}
	return nil
}

// call runs one call of which exchange is what differs between kinds.
func (c *caller) call(ctx context.Context, exchange func() error) error {
	c.replies.Begin()
	c.socket.Lock()
	defer c.socket.Unlock()
	err := c.socket.ready(ctx)
	if err == nil {
		err = exchange()
	}
	if err != nil {
		return c.socket.ended(ctx, err)
	}
	c.replies.End()
	return nil
}

// simple is unary, and ping_pong on a stream of its own: a request, then its replies; and download, with more of them.
type simple struct {
	caller
	count int
}

func newUnary(s *socket, call stack.Call, request []byte) *simple {
	return &simple{caller{socket: s, request: request, replies: stack.NewReplies(call, 1)}, 1}
}

func newDownload(s *socket, call stack.Call, request []byte) *simple {
	return &simple{caller{socket: s, request: request, replies: stack.NewReplies(call, call.Messages)}, call.Messages}
}

// Call is stack.Caller's.
func (c *simple) Call(ctx context.Context) error { return c.call(ctx, c.exchange) }

func (c *simple) exchange() error {
	if err := c.socket.send(c.request); err != nil {
		return err
	}
	return c.receive(c.count)
}

// An upload sends requests without a reply, and a last one with one.
type upload struct {
	caller
	silent []byte // the frame that asks for no reply
	count  int
}

func newUpload(s *socket, call stack.Call, request, silent []byte) *upload {
	return &upload{caller{socket: s, request: request, replies: stack.NewReplies(call, 1)}, silent, call.Messages}
}

// Call is stack.Caller's.
func (c *upload) Call(ctx context.Context) error { return c.call(ctx, c.exchange) }

func (c *upload) exchange() error {
	for range c.count - 1 {
		if _, err := c.socket.writer.Write(c.silent); err != nil {
			return err
		}
	}
	if err := c.socket.send(c.request); err != nil {
		return err
	}
	return c.receive(1)
}

// A stream sends requests in a second goroutine while their echoes come back.
type stream struct {
	caller
	count int
	sent  chan error
}

func newStream(s *socket, call stack.Call, request []byte) *stream {
	replies := stack.NewReplies(call, call.Messages)
	return &stream{caller{socket: s, request: request, replies: replies}, call.Messages, make(chan error, 1)}
}

// Call is stack.Caller's.
func (c *stream) Call(ctx context.Context) error { return c.call(ctx, c.exchange) }

func (c *stream) exchange() error {
	go c.sendAll()
	err := c.receive(c.count)
	if err != nil {
		c.socket.interrupt()
	}
	sent := <-c.sent
	if err != nil {
		c.socket.drop() // however it failed: replies to what was sent may still come
		return err
	}
	return sent
}

func (c *stream) sendAll() {
	for range c.count {
		if _, err := c.socket.writer.Write(c.request); err != nil {
			c.socket.interrupt() // or the receiver would wait for echoes of what was never sent
			c.sent <- err
			return
		}
	}
	err := c.socket.writer.Flush()
	if err != nil {
		c.socket.interrupt()
	}
	c.sent <- err
}
