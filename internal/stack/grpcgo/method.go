package grpcgo

import (
	"context"
	"strconv"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/service"
)

// benchmarkClient has the methods of BenchmarkService.
func benchmarkClient(
	conn grpc.ClientConnInterface, call stack.Call,
) service.Client[testpb.SimpleRequest, testpb.SimpleResponse] {
	type (
		request  = testpb.SimpleRequest
		response = testpb.SimpleResponse
	)
	client := testpb.NewBenchmarkServiceClient(conn)
	messages := metadata.Pairs(stack.MessagesMetadata, strconv.Itoa(call.Messages))
	return service.Client[request, response]{
		Unary: func(ctx context.Context, asked *request) (*response, error) { return client.UnaryCall(ctx, asked) },
		Upload: func(ctx context.Context) (service.Uploading[request, response], error) {
			return client.StreamingFromClient(ctx)
		},
		Download: func(ctx context.Context, asked *request) (service.Receiver[response], error) {
			return client.StreamingFromServer(metadata.NewOutgoingContext(ctx, messages), asked)
		},
		BothWays: func(ctx context.Context) (service.Streaming[request, response], error) {
			return client.StreamingBothWays(metadata.NewOutgoingContext(ctx, messages))
		},
		Stream: func(ctx context.Context, burst string) (service.Streaming[request, response], error) {
			return client.StreamingCall(withBurst(ctx, burst))
		},
		Failure: failure, Messages: service.Benchmark(call),
	}
}

// batchClient has the methods of BatchService.
func batchClient(conn grpc.ClientConnInterface, call stack.Call, pooled bool) service.Client[batchv1.Batch, batchv1.Batch] {
	type batch = batchv1.Batch
	client := batchv1.NewBatchServiceClient(conn)
	made := service.Client[batch, batch]{
		Unary:  func(ctx context.Context, asked *batch) (*batch, error) { return client.Unary(ctx, asked) },
		Upload: func(ctx context.Context) (service.Uploading[batch, batch], error) { return client.Upload(ctx) },
		Stream: func(ctx context.Context, burst string) (service.Streaming[batch, batch], error) {
			return client.Stream(withBurst(ctx, burst))
		},
		Failure: failure, Messages: service.Batch(call),
	}
	if pooled {
		made.Release = func(used stack.Reply) {
			if b, ok := used.Answers.(*batch); ok {
				release(b)
			}
		}
	}
	return made
}

func withBurst(ctx context.Context, burst string) context.Context {
	if burst == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, stack.BurstMetadata, burst)
}
