package service

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"

	"rpcbench/internal/stack"
)

// A bothWays sends messages in a second goroutine while others come, of which none answers another.
type bothWays[Q, A any] struct {
	caller[Q, A]

	sent chan error
}

// Call sends and receives the requested number of messages. Our servers end the stream when they have sent and received all. A
// server that does not know the metadata sends another message then: that one is read, and the stream is left.
func (c *bothWays[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open, err := c.client.BothWays(life)
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	go func() { c.sent <- c.send(open) }()
	err = c.receive(open)
	if err != nil {
		cancel() // or the sender waits for a server that takes no more
	}
	if sent := <-c.sent; err == nil && !errors.Is(sent, io.EOF) {
		err = sent
	}
	if closer, ok := open.(io.Closer); ok {
		cancel() // of a stream that has more than was wanted
		_ = closer.Close()
	}
	if err != nil {
		return c.client.Failure(ctx, err)
	}
	c.replies.End()
	return nil
}

func (c *bothWays[Q, A]) send(open Streaming[Q, A]) error {
	for range c.count {
		if err := open.Send(c.request); err != nil {
			return err
		}
	}
	return open.CloseSend()
}

// receive takes messages to the end of the stream, or until there is one more than was asked for.
func (c *bothWays[Q, A]) receive(open Streaming[Q, A]) error {
	for got := 0; ; got++ {
		answer, err := open.Recv()
		switch {
		case errors.Is(err, io.EOF), err == nil && got == c.count:
			return nil
		case err != nil:
			return err
		}
		c.replies.Add(c.client.Reply(answer))
	}
}

// AnswerBothWays answers the first message as often as count says, the value of stack.MessagesMetadata, and meanwhile receives
// until the client has sent everything. Without a count it sends until then, as gRPC's own benchmark servers do until the call is
// canceled. When it returns, nothing receives any more.
func AnswerBothWays[Q, A any](
	stream interface {
		Receiver[Q]
		Sender[A]
	}, count string, respond func(*Q) (*A, error),
) error {
	most, err := stack.ReadCount(stack.MessagesMetadata, count, 0, math.MaxInt)
	if err != nil {
		return err
	}
	first, err := stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	answer, err := respond(first)
	if err != nil {
		return err
	}
	drained := make(chan error, 1)
	go func() { drained <- drain(stream) }()
	for i := 0; count == "" || i < most; i++ {
		if count == "" {
			select {
			case err := <-drained:
				return err
			default:
			}
		}
		if err := stream.Send(answer); err != nil {
			return cmp.Or(err, <-drained) // which ends with the stream
		}
	}
	return <-drained
}

// drain receives until the client has sent all.
func drain[Q any](stream Receiver[Q]) error {
	for {
		_, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
