package grpcscenario_test

import (
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/stack"
)

func TestTypesOfCallsAreKindsAndBack(t *testing.T) {
	t.Parallel()
	for rpc, want := range map[testpb.RpcType]string{
		testpb.RpcType_UNARY: stack.KindUnary, testpb.RpcType_STREAMING: stack.KindPingPong,
		testpb.RpcType_STREAMING_FROM_CLIENT: stack.KindUpload, testpb.RpcType_STREAMING_FROM_SERVER: stack.KindDownload,
		testpb.RpcType_STREAMING_BOTH_WAYS: stack.KindBothWays,
	} {
		if kind, known := grpcscenario.KindOf(rpc); kind != want || !known {
			t.Errorf("%v is %q, %v, want %q", rpc, kind, known, want)
		}
		if back, known := grpcscenario.TypeOf(want); back != rpc || !known {
			t.Errorf("%q is %v, %v, want %v", want, back, known, rpc)
		}
	}
	if kind, known := grpcscenario.KindOf(99); known {
		t.Errorf("type 99 is %q", kind)
	}
	if rpc, known := grpcscenario.TypeOf("semi_unary"); known {
		t.Errorf("semi_unary is %v", rpc)
	}
}
