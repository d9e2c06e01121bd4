package connectgo

import (
	"context"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// An answerer is the server's side of the methods that both services have. An answer's payloads have size bytes.
type answerer[Q, A any] struct {
	from    *stack.Responder
	respond func(asked *Q) (*A, error)
	size    func(answer *A) int
}

// one answers one message.
func (m answerer[Q, A]) one(_ context.Context, asked *connect.Request[Q]) (*connect.Response[A], error) {
	return answered(m.respond(asked.Msg))
}

// each answers every message of a stream.
func (m answerer[Q, A]) each(_ context.Context, stream *connect.BidiStream[Q, A]) error {
	burst := stream.RequestHeader().Get(stack.BurstMetadata)
	return refusal(service.AnswerEach(served[Q, A]{stream}, burst, m.from, m.respond, m.size))
}

// last answers the last message of a stream.
func (m answerer[Q, A]) last(_ context.Context, stream *connect.ClientStream[Q]) (*connect.Response[A], error) {
	return answered(service.AnswerLast(uploaded[Q]{stream}, m.respond))
}

// answered returns the results of a handler.
func answered[A any](answer *A, err error) (*connect.Response[A], error) {
	if err != nil {
		return nil, refusal(err)
	}
	return connect.NewResponse(answer), nil
}

// download answers as many times as the metadata says.
func download(
	from *stack.Responder,
) func(context.Context, *connect.Request[request], *connect.ServerStream[response]) error {
	return func(_ context.Context, asked *connect.Request[request], stream *connect.ServerStream[response]) error {
		answer, err := service.Respond(asked.Msg, from)
		if err == nil {
			err = service.AnswerMany(stream, answer, asked.Header().Get(stack.MessagesMetadata))
		}
		return refusal(err)
	}
}

// bothWays answers the first message as often as the metadata says, whatever else arrives.
func bothWays(
	respond func(*request) (*response, error),
) func(context.Context, *connect.BidiStream[request, response]) error {
	return func(_ context.Context, stream *connect.BidiStream[request, response]) error {
		count := stream.RequestHeader().Get(stack.MessagesMetadata)
		return refusal(service.AnswerBothWays(served[request, response]{stream}, count, respond))
	}
}
