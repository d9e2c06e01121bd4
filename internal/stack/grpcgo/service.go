package grpcgo

import (
	"context"
	"errors"
	"io"
	"strconv"

	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
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

// UnaryCall answers one request.
func (s *service) UnaryCall(_ context.Context, request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return s.respond(request)
}

// StreamingCall answers every message.
func (s *service) StreamingCall(stream testpb.BenchmarkService_StreamingCallServer) error {
	for {
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
		if err := stream.Send(response); err != nil {
			return err
		}
	}
}

// StreamingFromClient answers the last message, once the client has sent all.
func (s *service) StreamingFromClient(stream testpb.BenchmarkService_StreamingFromClientServer) error {
	last := &testpb.SimpleRequest{}
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		last = request
	}
	response, err := s.respond(last)
	if err != nil {
		return err
	}
	return stream.SendAndClose(response)
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
	count, bounded, err := messages(stream.Context())
	if err != nil {
		return err
	}
	for i := 0; !bounded || i < count; i++ {
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

// messages reads the length of a download. It is unbounded without the metadata.
func messages(ctx context.Context) (count int, bounded bool, err error) {
	values := metadata.ValueFromIncomingContext(ctx, stack.MessagesMetadata)
	if len(values) == 0 {
		return 0, false, nil
	}
	count, err = strconv.Atoi(values[0])
	if err != nil || count < 0 {
		return 0, false, status.Errorf(codes.InvalidArgument, "metadata %s is %q, and must be a number of messages",
			stack.MessagesMetadata, values[0])
	}
	return count, true, nil
}
