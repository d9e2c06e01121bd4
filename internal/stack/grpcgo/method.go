package grpcgo

import (
	"context"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// methods are what a call needs of one of the two services: its client's methods, and what its messages hold. Q is its
// request, A its answer.
type methods[Q, A any] struct {
	unary  func(ctx context.Context, request *Q, options ...grpc.CallOption) (*A, error)
	upload func(ctx context.Context, options ...grpc.CallOption) (grpc.ClientStreamingClient[Q, A], error)
	stream func(ctx context.Context, options ...grpc.CallOption) (grpc.BidiStreamingClient[Q, A], error)

	request func() *Q                      // makes one; each sender has its own
	number  func(request *Q, first uint64) // gives the operations ids that count up from first
	reply   func(answer *A) stack.Reply
	release func(used stack.Reply) // takes a reply that nobody needs any more
}

// benchmarkMethods are those of BenchmarkService.
func benchmarkMethods(
	client testpb.BenchmarkServiceClient, call stack.Call,
) methods[testpb.SimpleRequest, testpb.SimpleResponse] {
	return methods[testpb.SimpleRequest, testpb.SimpleResponse]{
		unary: client.UnaryCall, upload: client.StreamingFromClient, stream: client.StreamingCall,
		request: func() *testpb.SimpleRequest { return newRequest(call) },
		number:  func(*testpb.SimpleRequest, uint64) {},
		reply: func(answer *testpb.SimpleResponse) stack.Reply {
			return stack.Reply{Payload: answer.GetPayload().GetBody()}
		},
		release: func(stack.Reply) {},
	}
}

func newRequest(call stack.Call) *testpb.SimpleRequest {
	return &testpb.SimpleRequest{
		ResponseSize: int32(call.ResponseBytes),
		Payload:      &testpb.Payload{Body: call.Request},
	}
}

// batchMethods are those of BatchService.
func batchMethods(
	client batchv1.BatchServiceClient, call stack.Call, pooled bool,
) methods[batchv1.Batch, batchv1.Batch] {
	reuse := func(stack.Reply) {}
	if pooled {
		reuse = func(used stack.Reply) {
			if b, ok := used.Answers.(*batchv1.Batch); ok {
				release(b)
			}
		}
	}
	return methods[batchv1.Batch, batchv1.Batch]{
		unary: client.Unary, upload: client.Upload, stream: client.Stream,
		request: func() *batchv1.Batch { return batchv1.New(call.Batch, call.Request, call.ResponseBytes) },
		number:  (*batchv1.Batch).Number,
		reply:   func(answer *batchv1.Batch) stack.Reply { return stack.Reply{Answers: answer} },
		release: reuse,
	}
}
