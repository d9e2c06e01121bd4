package grpcgo_test

import (
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// Both call the same server one after another. What a Caller costs is the difference.

func BenchmarkUnary(b *testing.B) {
	caller, err := dial(b, serve(b), 1).Caller(stack.Call{
		Kind: stack.KindUnary, Request: reply(1000), ResponseBytes: 1000,
		Check: func([]byte) error { return nil },
	}, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := caller.Call(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := caller.After(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnaryBareStub(b *testing.B) {
	client := testpb.NewBenchmarkServiceClient(bareClient(b))
	request := &testpb.SimpleRequest{ResponseSize: 1000, Payload: &testpb.Payload{Body: reply(1000)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.UnaryCall(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPingPong(b *testing.B) {
	caller, err := dial(b, serve(b), 1).Caller(stack.Call{
		Kind: stack.KindPingPong, Request: reply(1000), ResponseBytes: 1000, Streams: 1,
	}, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := caller.Call(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPingPongBareStub(b *testing.B) {
	stream, err := testpb.NewBenchmarkServiceClient(bareClient(b)).StreamingCall(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	request := &testpb.SimpleRequest{ResponseSize: 1000, Payload: &testpb.Payload{Body: reply(1000)}}
	b.ReportAllocs()
	for b.Loop() {
		if err := stream.Send(request); err != nil {
			b.Fatal(err)
		}
		if _, err := stream.Recv(); err != nil {
			b.Fatal(err)
		}
	}
}
