package grpcscenario

import (
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// kinds are ours by gRPC's types of calls.
var kinds = map[testpb.RpcType]string{
	testpb.RpcType_UNARY: stack.KindUnary, testpb.RpcType_STREAMING: stack.KindPingPong,
	testpb.RpcType_STREAMING_FROM_CLIENT: stack.KindUpload, testpb.RpcType_STREAMING_FROM_SERVER: stack.KindDownload,
	testpb.RpcType_STREAMING_BOTH_WAYS: stack.KindBothWays,
}

// KindOf returns our kind of gRPC's type of call, if that is known.
func KindOf(rpc testpb.RpcType) (kind string, known bool) {
	kind, known = kinds[rpc]
	return kind, known
}

// TypeOf returns gRPC's type of our kind of call, if there is one.
func TypeOf(kind string) (rpc testpb.RpcType, known bool) {
	for rpc, theirs := range kinds {
		if theirs == kind {
			return rpc, true
		}
	}
	return 0, false
}
