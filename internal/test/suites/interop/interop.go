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
	"cancel_after_begin":          service(interop.DoCancelAfterBegin),
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

func unimplementedMethod(ctx context.Context, conn grpc.ClientConnInterface) {
	_, err := testpb.NewTestServiceClient(conn).UnimplementedCall(ctx, &testpb.Empty{})
	if status.Code(err) != codes.Unimplemented {
		panic(fmt.Sprintf("a method that there is not ended with %v", err))
	}
}
