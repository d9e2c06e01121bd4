package connectgo

import (
	"context"
	"errors"
	"math"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// service is BatchService and grpc.testing.BenchmarkService, without StreamingBothWays, which no call uses.
type service struct{ reply func(n int) []byte }

// respond returns the answer to a request, or the status that it asks for.
func (s *service) respond(asked *request) (*response, error) {
	if status := asked.GetResponseStatus(); status.GetCode() != 0 {
		return nil, connect.NewError(connect.Code(status.GetCode()), errors.New(status.GetMessage()))
	}
	body, n := asked.GetPayload().GetBody(), int(asked.GetResponseSize())
	if n < 0 || n > stack.MessageBytesMax {
		return nil, connect.NewError(connect.CodeInvalidArgument,
			stack.Errorf(stack.InvalidArgument, "response_size is %d, and must be 0 to %d", n, stack.MessageBytesMax))
	}
	if n != len(body) {
		body = s.reply(n)
	}
	return &response{Payload: &testpb.Payload{Type: asked.GetResponseType(), Body: body}}, nil
}

func bodyBytes(answer *response) int { return len(answer.GetPayload().GetBody()) }

// respondBatch returns the answers to the operations of a batch.
func (s *service) respondBatch(asked *batch) (*batch, error) {
	answer, err := asked.Respond(s.reply)
	return answer, refusal(err)
}

// streamingFromServer answers as many times as the metadata says; without it until the client has enough.
func (s *service) streamingFromServer(
	_ context.Context, asked *connect.Request[request], stream *connect.ServerStream[response],
) error {
	answer, err := s.respond(asked.Msg)
	if err != nil {
		return err
	}
	text := asked.Header().Get(stack.MessagesMetadata)
	count, err := stack.ReadCount(stack.MessagesMetadata, text, 0, math.MaxInt)
	if err != nil {
		return refusal(err)
	}
	for i := 0; text == "" || i < count; i++ {
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
	return nil
}

// refusal makes the library's error of the contract's, and leaves others as they are.
func refusal(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return connect.NewError(connect.Code(failed.Code), failed.Err)
	}
	return err
}
