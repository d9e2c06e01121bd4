package connectgo

import (
	"context"
	"errors"
	"io"
	"strconv"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// A caller is what the Callers of all kinds share.
type caller struct {
	client  *client
	message *request
	replies stack.Replies
	count   int // messages
}

// After is stack.Caller's.
func (c *caller) After() error { return c.replies.Verify() }

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

type unary struct{ caller }

// Call is stack.Caller's.
func (c *unary) Call(ctx context.Context) error {
	c.replies.Begin()
	answer, err := c.client.CallUnary(ctx, connect.NewRequest(c.message))
	if err != nil {
		return failure(ctx, err)
	}
	c.replies.Add(answer.Msg.GetPayload().GetBody())
	c.replies.End()
	return nil
}

type upload struct{ caller }

// Call is stack.Caller's.
func (c *upload) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	open := c.client.CallClientStream(life)
	for range c.count {
		err := open.Send(c.message)
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
	c.replies.Add(answer.Msg.GetPayload().GetBody())
	c.replies.End()
	return nil
}

type download struct {
	caller
	messages string // the metadata
}

func newDownload(c caller) *download { return &download{c, strconv.Itoa(c.count)} }

// Call reads the messages that were asked for. A server that does not know the metadata sends another one then, where
// ours ends the stream: it is read so far and left.
func (c *download) Call(ctx context.Context) error {
	c.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := connect.NewRequest(c.message)
	asked.Header().Set(stack.MessagesMetadata, c.messages)
	open, err := c.client.CallServerStream(life, asked)
	if err != nil {
		return failure(ctx, err)
	}
	for got := 0; open.Receive() && got < c.count; got++ {
		c.replies.Add(open.Msg().GetPayload().GetBody())
	}
	if err := open.Err(); err != nil {
		return failure(ctx, err)
	}
	cancel() // before Close, which would read what is left
	open.Close()
	c.replies.End()
	return nil
}
