package connectgo

import (
	"net/http"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// Paths of the two services.
const (
	benchmarkPath = "/grpc.testing.BenchmarkService/"
	batchPath     = "/rpcbench.batch.v1.BatchService/"
)

// newClient makes what calls one method.
func newClient[Q, A any](l *link, path string, options []connect.ClientOption) *connect.Client[Q, A] {
	return connect.NewClient[Q, A](&http.Client{Transport: l}, l.scheme+"://"+l.address+path, options...)
}

// clients are what both services have.
type clients[Q, A any] struct{ unary, upload, stream *connect.Client[Q, A] }

func newBenchmarkClients(l *link, options []connect.ClientOption) clients[request, response] {
	return clients[request, response]{
		unary:  newClient[request, response](l, benchmarkPath+"UnaryCall", options),
		upload: newClient[request, response](l, benchmarkPath+"StreamingFromClient", options),
		stream: newClient[request, response](l, benchmarkPath+"StreamingCall", options),
	}
}

func newBatchClients(l *link, options []connect.ClientOption) clients[batch, batch] {
	return clients[batch, batch]{
		unary:  newClient[batch, batch](l, batchPath+"Unary", options),
		upload: newClient[batch, batch](l, batchPath+"Upload", options),
		stream: newClient[batch, batch](l, batchPath+"Stream", options),
	}
}

// methods are what a call needs of one of the two services: its clients, and what its messages hold. Q is its request, A
// its answer.
type methods[Q, A any] struct {
	clients[Q, A]

	request func() *Q                      // makes one; each sender has its own
	number  func(message *Q, first uint64) // gives the operations ids that count up from first
	reply   func(answer *A) stack.Reply
}

func benchmarkMethods(c clients[request, response], call stack.Call) methods[request, response] {
	return methods[request, response]{
		clients: c,
		request: func() *request {
			return &request{ResponseSize: int32(call.ResponseBytes), Payload: &testpb.Payload{Body: call.Request}}
		},
		number: func(*request, uint64) {},
		reply:  func(answer *response) stack.Reply { return stack.Reply{Payload: answer.GetPayload().GetBody()} },
	}
}

func batchMethods(c clients[batch, batch], call stack.Call) methods[batch, batch] {
	return methods[batch, batch]{
		clients: c,
		request: func() *batch { return batchv1.New(call.Batch, call.Request, call.ResponseBytes) },
		number:  (*batch).Number,
		reply:   func(answer *batch) stack.Reply { return stack.Reply{Answers: answer} },
	}
}
