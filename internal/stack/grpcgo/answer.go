package grpcgo

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/service"
)

// batchService is BatchService.
type batchService struct {
	batchv1.UnimplementedBatchServiceServer
	from   *stack.Responder
	pooled bool
}

func (s *batchService) respond(request *batchv1.Batch) (*batchv1.Batch, error) {
	return request.Respond(s.from)
}

// Unary answers a batch.
func (s *batchService) Unary(_ context.Context, request *batchv1.Batch) (*batchv1.Batch, error) {
	answer, err := s.respond(request)
	return answer, refusal(err)
}

// Stream answers every batch.
func (s *batchService) Stream(stream grpc.BidiStreamingServer[batchv1.Batch, batchv1.Batch]) error {
	if s.pooled {
		stream = releasing{stream}
	}
	return refusal(service.AnswerEach(stream, burst(stream), s.from, s.respond, (*batchv1.Batch).OperationBytes))
}

// A releasing stream gives the operations of every answer back once it is sent: the library encodes it before Send
// returns.
type releasing struct {
	grpc.BidiStreamingServer[batchv1.Batch, batchv1.Batch]
}

// Send is grpc.BidiStreamingServer's.
func (r releasing) Send(answer *batchv1.Batch) error {
	defer release(answer)
	return r.BidiStreamingServer.Send(answer)
}

// Upload answers the last batch, once the client has sent all.
func (s *batchService) Upload(stream grpc.ClientStreamingServer[batchv1.Batch, batchv1.Batch]) error {
	answer, err := service.AnswerLast(stream, s.respond)
	if err != nil {
		return refusal(err)
	}
	return stream.SendAndClose(answer)
}

// burst returns stack.BurstMetadata of a stream.
func burst(stream grpc.ServerStream) string { return incoming(stream.Context(), stack.BurstMetadata) }

// incoming returns the first value of that name in a client's metadata, or "".
func incoming(ctx context.Context, name string) string {
	if values := metadata.ValueFromIncomingContext(ctx, name); len(values) > 0 {
		return values[0]
	}
	return ""
}
