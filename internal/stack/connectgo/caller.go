package connectgo

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// A caller is what the Callers of most kinds share.
type caller[Q, A any] struct {
	methods methods[Q, A]
	request *Q
	replies stack.Replies
	count   int // messages
}

func newCaller[Q, A any](m methods[Q, A], call stack.Call, slot int) caller[Q, A] {
	return caller[Q, A]{m, m.request(), stack.NewReplies(call, slot), call.Messages}
}

// After is stack.Caller's.
func (c *caller[Q, A]) After() error { return c.replies.Verify() }

// message returns message i of the call.
func (c *caller[Q, A]) message(i int) *Q {
	c.methods.number(c.request, c.replies.FirstID(i))
	return c.request
}

// failure makes a call's error of the library's. Connect has gRPC's codes under gRPC's numbers.
func failure(ctx context.Context, err error) error {
	code := stack.Unknown
	if given := connect.CodeOf(err); given <= connect.CodeUnauthenticated { // the last of them
		code = stack.Code(given)
	}
	if !connect.IsWireError(err) && stack.IsNetError(err) {
		code = stack.NetCode(err)
	}
	return stack.Failure(ctx, code, err)
}

type unary[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *unary[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	answer, err := c.methods.unary.CallUnary(ctx, connect.NewRequest(c.message(0)))
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(c.methods.reply(answer.Msg))
	c.replies.End()
	return nil
}

type upload[Q, A any] struct{ caller[Q, A] }

// Call is stack.Caller's.
func (c *upload[Q, A]) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open := c.methods.upload.CallClientStream(life)
	for i := range c.count {
		err := open.Send(c.message(i))
		if errors.Is(err, io.EOF) { // the reply says why
			break
		}
		if err != nil {
			return failure(ctx, err)
		}
	}
	answer, err := open.CloseAndReceive()
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(c.methods.reply(answer.Msg))
	c.replies.End()
	return nil
}

type download struct {
	caller[request, response]
	client   *connect.Client[request, response]
	messages string // the metadata
}

// Call reads the messages that were asked for. A server that does not know the metadata sends another one then, where
// ours ends the stream: it is read so far and left.
func (c *download) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := connect.NewRequest(c.request)
	asked.Header().Set(stack.MessagesMetadata, c.messages)
	open, err := c.client.CallServerStream(life, asked)
	if err != nil {
		return failure(ctx, err)
	}
	for got := 0; open.Receive() && got < c.count; got++ {
		c.replies.Add(c.methods.reply(open.Msg()))
	}
	if err := open.Err(); err != nil {
		return failure(ctx, err)
	}
	cancel() // before Close, which would read what is left
	open.Close()
	c.replies.End()
	return nil
}
