package connectgo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// service is grpc.testing.BenchmarkService without StreamingBothWays, which no call uses.
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

func (s *service) unaryCall(_ context.Context, asked *connect.Request[request]) (*connect.Response[response], error) {
	answer, err := s.respond(asked.Msg)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer), nil
}

// streamingCall answers every message.
func (s *service) streamingCall(_ context.Context, stream *connect.BidiStream[request, response]) error {
	for {
		asked, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := s.respond(asked)
		if err != nil {
			return err
		}
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
}

// streamingFromClient answers the last message, once the client has sent all.
func (s *service) streamingFromClient(
	_ context.Context, stream *connect.ClientStream[request],
) (*connect.Response[response], error) {
	last := &request{}
	for stream.Receive() {
		last = stream.Msg()
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	answer, err := s.respond(last)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer), nil
}

// streamingFromServer answers as many times as the metadata says; without it until the client has enough.
func (s *service) streamingFromServer(
	_ context.Context, asked *connect.Request[request], stream *connect.ServerStream[response],
) error {
	answer, err := s.respond(asked.Msg)
	if err != nil {
		return err
	}
	count, bounded, err := messages(asked.Header())
	if err != nil {
		return err
	}
	for i := 0; !bounded || i < count; i++ {
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
	return nil
}

// messages reads the length of a download. It is unbounded without the metadata.
func messages(header http.Header) (count int, bounded bool, err error) {
	text := header.Get(stack.MessagesMetadata)
	if text == "" {
		return 0, false, nil
	}
	count, err = strconv.Atoi(text)
	if err != nil || count < 0 {
		return 0, false, connect.NewError(connect.CodeInvalidArgument, stack.Errorf(stack.InvalidArgument,
			"metadata %s is %q, and must be a number of messages", stack.MessagesMetadata, text))
	}
	return count, true, nil
}
