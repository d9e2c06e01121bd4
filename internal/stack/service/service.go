// Package service is the part of rpcbench's two services, grpc.testing.BenchmarkService and BatchService, that all adapters
// with generated messages share: their clients' calls and their servers' answers. It imports no RPC library: an adapter
// passes in its library's methods and streams.
package service

import (
	"context"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// A Client has the methods of one of the two services. Q is its request, A its answer. Errors are the library's.
type Client[Q, A any] struct {
	Unary    func(ctx context.Context, request *Q) (*A, error)
	Upload   func(ctx context.Context) (Uploading[Q, A], error)
	Download func(ctx context.Context, request *Q) (Receiver[A], error) // nil where the service has none
	BothWays func(ctx context.Context) (Streaming[Q, A], error)         // nil where the service has none
	// Stream opens a stream of one message each way. The server answers as many together as burst says, which is
	// stack.BurstMetadata; "" is each at once.
	Stream func(ctx context.Context, burst string) (Streaming[Q, A], error)
	// Failure makes an *Error of the library's, which is not nil.
	Failure func(ctx context.Context, err error) error

	Messages[Q, A]
}

// A Sender sends messages. io.EOF says that the stream has ended: receiving knows why.
type Sender[M any] interface{ Send(message *M) error }

// A Receiver receives messages until io.EOF, a good end.
type Receiver[M any] interface{ Recv() (*M, error) }

// Uploading is a stream of a client that gets one answer.
type Uploading[Q, A any] interface {
	Sender[Q]
	CloseAndRecv() (*A, error)
}

// Streaming is a stream both ways. One goroutine sends while one receives. It ends with its context, and with an error
// of Recv, which the sender sees too. Where it is an io.Closer, Close frees it once both have ended.
type Streaming[Q, A any] interface {
	Sender[Q]
	Receiver[A]
	CloseSend() error
}

// Messages holds the messages of a service's calls.
type Messages[Q, A any] struct {
	Request func() *Q                               // makes one; each sender has its own
	Prepare func(request *Q, message stack.Message) // has a request say what a message of the call has
	Reply   func(answer *A) stack.Reply
	Release func(used stack.Reply) // takes a reply that nobody needs any more; nil leaves it to the garbage collector
}

// Benchmark returns the messages of BenchmarkService, whose operations have no ids.
func Benchmark(call stack.Call) Messages[testpb.SimpleRequest, testpb.SimpleResponse] {
	return Messages[testpb.SimpleRequest, testpb.SimpleResponse]{
		Request: func() *testpb.SimpleRequest {
			return &testpb.SimpleRequest{
				ResponseSize: int32(call.ResponseBytes), Payload: &testpb.Payload{Body: call.Request},
			}
		},
		Prepare: func(request *testpb.SimpleRequest, message stack.Message) {
			if message.Drawn {
				request.ResponseSize, request.Payload.Body = int32(message.ResponseBytes), message.Payload
			}
		},
		Reply: func(answer *testpb.SimpleResponse) stack.Reply {
			return stack.Reply{Payload: answer.GetPayload().GetBody()}
		},
	}
}

// Batch returns the messages of BatchService.
func Batch(call stack.Call) Messages[batchv1.Batch, batchv1.Batch] {
	request := func() *batchv1.Batch { return batchv1.New(call.Batch, call.Request, call.ResponseBytes) }
	if call.Accesses != nil {
		request = func() *batchv1.Batch { return batchv1.NewAccesses(call.Batch, call.Request) }
	}
	return Messages[batchv1.Batch, batchv1.Batch]{
		Request: request,
		Prepare: (*batchv1.Batch).Prepare,
		Reply:   func(answer *batchv1.Batch) stack.Reply { return stack.Reply{Answers: answer} },
	}
}
