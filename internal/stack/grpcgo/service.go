package grpcgo

import (
	"context"
	"errors"
	"io"
	"math"

	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
)

// service is grpc.testing.BenchmarkService.
type service struct {
	testpb.UnimplementedBenchmarkServiceServer
	reply func(n int) []byte
}

// respond returns the answer to request, or the status that it asks for.
func (s *service) respond(request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	if asked := request.GetResponseStatus(); asked.GetCode() != 0 {
		return nil, status.Error(codes.Code(asked.GetCode()), asked.GetMessage())
	}
	body, n := request.GetPayload().GetBody(), int(request.GetResponseSize())
	if n < 0 || n > stack.MessageBytesMax {
		return nil, status.Errorf(codes.InvalidArgument, "response_size is %d, and must be 0 to %d", n, stack.MessageBytesMax)
	}
	if n != len(body) {
		body = s.reply(n)
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Type: request.GetResponseType(), Body: body}}, nil
}

func bodyBytes(response *testpb.SimpleResponse) int { return len(response.GetPayload().GetBody()) }

// UnaryCall answers one request.
func (s *service) UnaryCall(_ context.Context, request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return s.respond(request)
}

// StreamingCall answers every message.
func (s *service) StreamingCall(stream testpb.BenchmarkService_StreamingCallServer) error {
	return answerEach(stream, s.respond, bodyBytes)
}

// StreamingFromClient answers the last message, once the client has sent all.
func (s *service) StreamingFromClient(stream testpb.BenchmarkService_StreamingFromClientServer) error {
	return answerLast(stream, s.respond)
}

// StreamingFromServer answers as many times as the metadata says; without it until the client has enough, as gRPC's own
// benchmark servers do.
func (s *service) StreamingFromServer(
	request *testpb.SimpleRequest, stream testpb.BenchmarkService_StreamingFromServerServer,
) error {
	response, err := s.respond(request)
	if err != nil {
		return err
	}
	text := incoming(stream.Context(), stack.MessagesMetadata)
	count, err := stack.ReadCount(stack.MessagesMetadata, text, 0, math.MaxInt)
	if err != nil {
		return refusal(err)
	}
	for i := 0; text == "" || i < count; i++ {
		if err := stream.Send(response); err != nil {
			return err
		}
	}
	return nil
}

// StreamingBothWays sends the answer to the first message again and again, independently of what else comes, until the
// client has sent all.
func (s *service) StreamingBothWays(stream testpb.BenchmarkService_StreamingBothWaysServer) error {
	request, err := stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	response, err := s.respond(request)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- drain(stream) }()
	for {
		select {
		case err := <-ended:
			return err
		default:
		}
		if err := stream.Send(response); err != nil {
			return err
		}
	}
}

// drain receives until the client has sent all.
func drain(stream testpb.BenchmarkService_StreamingBothWaysServer) error {
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
