package tcp

import (
	"context"

	"rpcbench/internal/stack"
)

// A caller is the part that the Callers of all kinds share.
type caller struct {
	socket   *socket
	requests requests
	replies  stack.Replies
	buffer   stack.Reply
}

func newCaller(s *socket, call stack.Call, slot int, all requests) caller {
	return caller{socket: s, requests: all.own(), replies: stack.NewReplies(call, slot)}
}

// After is stack.Caller's.
func (c *caller) After() error { return c.replies.Verify() }

func (c *caller) receive(replies int) error {
	for range replies {
		reply, err := c.socket.receive(c.buffer)
		if err != nil {
			return err
		}
		c.buffer = reply
		c.replies.Add(reply)
	}
	return nil
}

// call runs one call; exchange is the part that differs between kinds.
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

// A turn sends everything and then receives everything: unary, ping_pong on its own stream, burst on one stream, upload and
// download.
type turn struct {
	caller
	sends, receives int
}

func newTurn(c caller, call stack.Call) *turn {
	sends, receives := stack.MessagesOf(call.Kind, int64(call.Messages))
	return &turn{c, int(sends), int(receives)}
}

// Call is stack.Caller's.
func (c *turn) Call(ctx context.Context) error { return c.call(ctx, c.exchange) }

func (c *turn) exchange() error {
	for i := range c.sends {
		more := i+1 < c.sends
		if err := c.socket.send(c.requests.next(c.replies.Message(i), more), more); err != nil {
			return err
		}
	}
	return c.receive(c.receives)
}

// A stream sends requests in a second goroutine while their echoes return, or for both_ways while the replies to the first
// arrive.
type stream struct {
	caller
	count int
	sent  chan error
}

func newStream(c caller, call stack.Call) *stream {
	return &stream{c, call.Messages, make(chan error, 1)}
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
	for i := range c.count {
		if err := c.socket.send(c.requests.at(c.replies.Message(i), i), i+1 < c.count); err != nil {
			c.socket.interrupt() // or the receiver would wait for echoes of what was never sent
			c.sent <- err
			return
		}
	}
	c.sent <- nil
}
