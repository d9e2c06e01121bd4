package grpcgo

import (
	"context"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// benchmarkService is grpc.testing.BenchmarkService.
type benchmarkService struct {
	testpb.UnimplementedBenchmarkServiceServer
	from *stack.Responder
}

func (s *benchmarkService) respond(request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return service.Respond(request, s.from)
}

// UnaryCall answers one request.
func (s *benchmarkService) UnaryCall(_ context.Context, request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	answer, err := s.respond(request)
	return answer, refusal(err)
}

// StreamingCall answers every message.
func (s *benchmarkService) StreamingCall(stream testpb.BenchmarkService_StreamingCallServer) error {
	return refusal(service.AnswerEach(stream, burst(stream), s.from, s.respond, service.BodyBytes))
}

// StreamingFromClient answers the last message, once the client has sent all.
func (s *benchmarkService) StreamingFromClient(stream testpb.BenchmarkService_StreamingFromClientServer) error {
	answer, err := service.AnswerLast(stream, s.respond)
	if err != nil {
		return refusal(err)
	}
	return stream.SendAndClose(answer)
}

// StreamingFromServer answers as many times as the metadata says.
func (s *benchmarkService) StreamingFromServer(
	request *testpb.SimpleRequest, stream testpb.BenchmarkService_StreamingFromServerServer,
) error {
	answer, err := s.respond(request)
	if err == nil {
		err = service.AnswerMany(stream, answer, incoming(stream.Context(), stack.MessagesMetadata))
	}
	return refusal(err)
}

// StreamingBothWays answers the first message as often as the metadata says, independently of what else arrives.
func (s *benchmarkService) StreamingBothWays(stream testpb.BenchmarkService_StreamingBothWaysServer) error {
	return refusal(service.AnswerBothWays(stream, incoming(stream.Context(), stack.MessagesMetadata), s.respond))
}
