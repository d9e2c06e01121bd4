// Package interop runs gRPC's interoperability cases, as grpc-go and grpc-java have them, through clients and against
// servers as they are set up here: https://github.com/grpc/grpc/blob/master/doc/interop-test-descriptions.md. Those for
// credentials of Google's cloud and for its load balancing are left out.
package interop

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/interop"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"
)

// cases are by their names in the descriptions. One that fails ends the process.
var cases = map[string]func(ctx context.Context, conn grpc.ClientConnInterface){
	"empty_unary":                 service(interop.DoEmptyUnaryCall),
	"large_unary":                 service(interop.DoLargeUnaryCall),
	"client_streaming":            service(interop.DoClientStreaming),
	"server_streaming":            service(interop.DoServerStreaming),
	"ping_pong":                   service(interop.DoPingPong),
	"empty_stream":                service(interop.DoEmptyStream),
	"timeout_on_sleeping_server":  service(interop.DoTimeoutOnSleepingServer),
	"cancel_after_begin":          cancelAfterBegin, // grpc-go's half-closes too
	"cancel_after_first_response": service(interop.DoCancelAfterFirstResponse),
	"status_code_and_message":     service(interop.DoStatusCodeAndMessage),
	"special_status_message":      service(interop.DoSpecialStatusMessage),
	"custom_metadata":             service(interop.DoCustomMetadata),
	"unimplemented_service": func(ctx context.Context, conn grpc.ClientConnInterface) {
		interop.DoUnimplementedService(ctx, testpb.NewUnimplementedServiceClient(conn))
	},
	"unimplemented_method": unimplementedMethod, // grpc-go's wants its own connection
}

func service(
	one func(context.Context, testpb.TestServiceClient, ...grpc.CallOption),
) func(context.Context, grpc.ClientConnInterface) {
	return func(ctx context.Context, conn grpc.ClientConnInterface) { one(ctx, testpb.NewTestServiceClient(conn)) }
}

// cancelAfterBegin cancels a call that has sent nothing. It does not half-close it, as a server might answer that before the
// client's library has seen that the call was cancelled.
func cancelAfterBegin(ctx context.Context, conn grpc.ClientConnInterface) {
	ctx, cancel := context.WithCancel(ctx)
	stream, err := testpb.NewTestServiceClient(conn).StreamingInputCall(ctx)
	if err != nil {
		panic(fmt.Sprintf("the call did not begin: %v", err))
	}
	cancel()
	if err := stream.RecvMsg(&testpb.StreamingInputCallResponse{}); status.Code(err) != codes.Canceled {
		panic(fmt.Sprintf("a call that was cancelled ended with %v", err))
	}
}

func unimplementedMethod(ctx context.Context, conn grpc.ClientConnInterface) {
	_, err := testpb.NewTestServiceClient(conn).UnimplementedCall(ctx, &testpb.Empty{})
	if status.Code(err) != codes.Unimplemented {
		panic(fmt.Sprintf("a method that there is not ended with %v", err))
	}
}
