package grpcgo

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// batchService is BatchService.
type batchService struct {
	batchv1.UnimplementedBatchServiceServer
	reply  func(n int) []byte
	pooled bool
}

func (s *batchService) respond(request *batchv1.Batch) (*batchv1.Batch, error) {
	answer, err := request.Respond(s.reply)
	return answer, refusal(err)
}

// Unary answers a batch.
func (s *batchService) Unary(_ context.Context, request *batchv1.Batch) (*batchv1.Batch, error) {
	return s.respond(request)
}

// Stream answers every batch.
func (s *batchService) Stream(stream grpc.BidiStreamingServer[batchv1.Batch, batchv1.Batch]) error {
	if s.pooled {
		stream = releasing{stream}
	}
	return answerEach(stream, s.respond, (*batchv1.Batch).OperationBytes)
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
	return answerLast(stream, s.respond)
}

// answerEach answers every message of a stream: at once, or as many together as the metadata says. An answer's payloads
// have size bytes.
func answerEach[Q, A any](
	stream grpc.BidiStreamingServer[Q, A], respond func(*Q) (*A, error), size func(*A) int,
) error {
	burst, err := stack.NewBurst[*A](incoming(stream.Context(), stack.BurstMetadata))
	if err != nil {
		return refusal(err)
	}
	send := stream.Send
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := respond(request)
		if err != nil {
			return err
		}
		if err := burst.Add(answer, size(answer), send); err != nil {
			return refusal(err)
		}
	}
}

// answerLast answers the last message of a stream, once the client has sent all; without any an empty one.
func answerLast[Q, A any](stream grpc.ClientStreamingServer[Q, A], respond func(*Q) (*A, error)) error {
	last := new(Q)
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
	answer, err := respond(last)
	if err != nil {
		return err
	}
	return stream.SendAndClose(answer)
}

// incoming returns what a client's metadata has under the name; "" where it has nothing.
func incoming(ctx context.Context, name string) string {
	if values := metadata.ValueFromIncomingContext(ctx, name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// refusal makes the library's error of the contract's, and leaves others as they are.
func refusal(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return status.Error(codes.Code(failed.Code), failed.Err.Error())
	}
	return err
}
