package httpwire

import (
	"bytes"
	"context"
	"net/http"

	"rpcbench/internal/stack"
)

// A caller makes one slot's calls.
type caller struct {
	socket   *socket
	request  *request
	response response
	replies  stack.Replies

	known []byte      // a body that came before
	reply stack.Reply // what it says
}

func newCaller(s *socket, r *request, call stack.Call, slot int) *caller {
	return &caller{socket: s, request: r, replies: stack.NewReplies(call, slot)}
}

// Call is stack.Caller's.
func (c *caller) Call(ctx context.Context) error {
	c.replies.Begin()
	if err := c.call(ctx); err != nil {
		return stack.Failure(ctx, stack.NetCode(err), err)
	}
	c.replies.End()
	return nil
}

func (c *caller) call(ctx context.Context) error {
	if err := c.socket.call(ctx, c.request.bytes(c.replies.FirstID(0)), &c.response); err != nil {
		return err
	}
	if status := c.response.status; status != http.StatusOK {
		return stack.Errorf(stack.HTTPCode(status), "HTTP status %d %s: %.200s", status, http.StatusText(status), c.response.body)
	}
	return c.take(c.response.body)
}

// take reads a body. One that is the same as another says the same.
func (c *caller) take(body []byte) error {
	if c.known == nil || !bytes.Equal(body, c.known) {
		reply, err := c.request.decode(body)
		if err != nil {
			return stack.Errorf(stack.Internal, "the reply is not the JSON that was due: %w", err)
		}
		c.known, c.reply = append(c.known[:0], body...), reply
	}
	c.replies.Add(c.reply)
	return nil
}

// After is stack.Caller's.
func (c *caller) After() error { return c.replies.Verify() }
