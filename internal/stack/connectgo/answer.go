package connectgo

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// An answerer is the server's side of the methods that both services have. An answer's payloads have size bytes.
type answerer[Q, A any] struct {
	respond func(asked *Q) (*A, error)
	size    func(answer *A) int
}

// one answers one message.
func (m answerer[Q, A]) one(_ context.Context, asked *connect.Request[Q]) (*connect.Response[A], error) {
	answer, err := m.respond(asked.Msg)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer), nil
}

// each answers every message of a stream: at once, or as many together as the metadata says.
func (m answerer[Q, A]) each(_ context.Context, stream *connect.BidiStream[Q, A]) error {
	burst, err := stack.NewBurst[*A](stream.RequestHeader().Get(stack.BurstMetadata))
	if err != nil {
		return refusal(err)
	}
	send := stream.Send
	for {
		asked, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := m.respond(asked)
		if err != nil {
			return err
		}
		if err := burst.Add(answer, m.size(answer), send); err != nil {
			return refusal(err)
		}
	}
}

// last answers the last message of a stream, once the client has sent all; without any an empty one.
func (m answerer[Q, A]) last(_ context.Context, stream *connect.ClientStream[Q]) (*connect.Response[A], error) {
	last := new(Q)
	for stream.Receive() {
		last = stream.Msg()
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	answer, err := m.respond(last)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer), nil
}
