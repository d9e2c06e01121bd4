package qpsworker

import (
	"slices"
	"strconv"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/worker/control"
)

// rawRecipe makes calls with messages of the given size, whose replies are counted but not decoded: gRPC's generic clients send
// meaningless bytes, and generic servers ignore them.
func rawRecipe(rpc testpb.RpcType, bytes int) (*control.Recipe, error) {
	message, possible := messageOf(bytes)
	if !possible {
		return nil, refuse("payload_config.bytebuf_params.req_size", "no message of protobuf, which these are here, has "+
			strconv.Itoa(bytes)+" bytes")
	}
	service, messages := testpb.File_grpc_testing_benchmark_service_proto, testpb.File_grpc_testing_messages_proto
	schema, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(messages), protodesc.ToFileDescriptorProto(service),
	}})
	if err != nil {
		return nil, err
	}
	method := "UnaryCall"
	if rpc == testpb.RpcType_STREAMING {
		method = "StreamingCall"
	}
	return &control.Recipe{
		Method: "grpc.testing.BenchmarkService/" + method, Schema: schema, Name: "bytebuf_params", Format: "binary",
		Requests: message,
	}, nil
}

// messageOf returns an encoded SimpleRequest of n bytes. The length of a payload takes bytes itself, so that some lengths need
// another field beside it.
func messageOf(n int) (encoded []byte, possible bool) {
	for _, beside := range []*testpb.SimpleRequest{
		{}, {FillUsername: true}, {FillUsername: true, FillOauthScope: true}, {ResponseSize: 1 << 7},
	} {
		rest := n - proto.Size(beside)
		if rest == 0 {
			encoded, err := proto.Marshal(beside)
			return encoded, err == nil
		}
		for overhead := 2; overhead <= min(rest, 12); overhead++ {
			beside.Payload = &testpb.Payload{Body: make([]byte, rest-overhead)}
			if proto.Size(beside) == n {
				encoded, err := proto.Marshal(beside)
				return slices.Clip(encoded), err == nil
			}
		}
	}
	return nil, false
}
