package service

import (
	"context"
	"errors"
	"io"

	"rpcbench/internal/stack"
)

// NewCaller makes the Caller of one of a connection's inFlight slots. The connection's slots share shared.
func NewCaller[Q, A any](
	shared *stack.PingPong, client Client[Q, A], call stack.Call, slot, inFlight int,
) stack.Caller {
	if stack.SharesStreams(call.Kind) {
		return shared.Caller(call, slot, inFlight, openEcho(client, call))
	}
	c := caller[Q, A]{client, client.Request(), stack.NewReplies(call, slot), call.Messages}
	switch call.Kind {
	case stack.KindStream:
		return &stream[Q, A]{c, make(chan error, 1)}
	case stack.KindUpload:
		return &upload[Q, A]{c}
	case stack.KindDownload:
		return &download[Q, A]{c}
	case stack.KindBothWays:
		return &bothWays[Q, A]{c, make(chan error, 1)}
	default:
		return &unary[Q, A]{c}
	}
}

// A caller is the part that the Callers of most kinds share.
type caller[Q, A any] struct {
	client  Client[Q, A]
	request *Q
	replies stack.Replies
	count   int // messages
}

// After is stack.Caller's.
func (c *caller[Q, A]) After() error { return c.replies.Verify() }

// message returns message i of the call.
func (c *caller[Q, A]) message(i int) *Q {
	c.client.Prepare(c.request, c.replies.Message(i))
	return c.request
}

// end ends a call with its one answer.
func (c *caller[Q, A]) end(ctx context.Context, answer *A, err error) error {
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	c.replies.Add(c.client.Reply(answer))
	c.replies.End()
	return nil
}

type unary[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *unary[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	answer, err := c.client.Unary(ctx, c.message(0))
	return c.end(ctx, answer, err)
}

type upload[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *upload[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	open, err := c.client.Upload(ctx)
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	for i := range c.count {
		if err = open.Send(c.message(i)); err != nil {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) { // after EOF it is the reply that says why
		return c.client.Failure(ctx, err)
	}
	answer, err := open.CloseAndRecv()
	return c.end(ctx, answer, err)
}

type download[Q, A any] struct{ caller[Q, A] }

// Call reads the requested number of messages. A server that does not know the metadata then sends another one, where ours ends
// the stream: that one is read, and the stream is left.
func (c *download[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open, err := c.client.Download(life, c.request)
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	for got := 0; ; got++ {
		answer, err := open.Recv()
		switch {
		case errors.Is(err, io.EOF), err == nil && got == c.count:
			c.replies.End()
			return nil
		case err != nil:
			return c.client.Failure(ctx, err)
		}
		c.replies.Add(c.client.Reply(answer))
	}
}
