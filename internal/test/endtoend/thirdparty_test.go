package endtoend

import (
	"fmt"
	"net"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/benchmark"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

const benchmarkService = "grpc.testing.BenchmarkService"

// stranger connects to our grpc server in a worker process as somebody else's client does.
func stranger(t *testing.T) *grpc.ClientConn {
	t.Helper()
	_, address := serve(t, "grpc-go")
	conn := benchmark.NewClientConn(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestGRPCsOwnBenchmarkClientCallsOurServer(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(stranger(t))
	for _, size := range []struct{ request, response int }{{0, 0}, {1, 1}, {1000, 1000}, {10, 100_000}, {100_000, 10}} {
		if err := benchmark.DoUnaryCall(client, size.request, size.response); err != nil {
			t.Errorf("%v: %v", size, err)
		}
		stream, err := client.StreamingCall(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := benchmark.DoStreamingRoundTrip(stream, size.request, size.response); err != nil {
				t.Errorf("%v: %v", size, err)
			}
		}
		if err := stream.CloseSend(); err != nil {
			t.Errorf("%v: %v", size, err)
		}
		response, err := client.UnaryCall(t.Context(), &testpb.SimpleRequest{
			ResponseSize: int32(size.response), Payload: benchmark.NewPayload(testpb.PayloadType_COMPRESSABLE, size.request),
		})
		if err != nil || len(response.GetPayload().GetBody()) != size.response {
			t.Errorf("%v: %d bytes and %v", size, len(response.GetPayload().GetBody()), err)
		}
	}
}

func TestReflectionTellsAStrangerWhatToCall(t *testing.T) {
	t.Parallel()
	stream, err := reflectionpb.NewServerReflectionClient(stranger(t)).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(request *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
		t.Helper()
		if err := stream.Send(request); err != nil {
			t.Fatal(err)
		}
		response, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	listed := ask(&reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{},
	})
	var names []string
	for _, service := range listed.GetListServicesResponse().GetService() {
		names = append(names, service.GetName())
	}
	if !slices.Contains(names, benchmarkService) {
		t.Errorf("services %v, want %s among them", names, benchmarkService)
	}
	described := ask(&reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: benchmarkService},
	})
	want := []string{"UnaryCall", "StreamingCall", "StreamingFromClient", "StreamingFromServer", "StreamingBothWays"}
	if got := methods(t, described); !slices.Equal(got, want) {
		t.Errorf("methods %v, want %v", got, want)
	}
}

// methods returns those of the benchmark service in the files of a response.
func methods(t *testing.T, response *reflectionpb.ServerReflectionResponse) []string {
	t.Helper()
	var names []string
	for _, encoded := range response.GetFileDescriptorResponse().GetFileDescriptorProto() {
		file := &descriptorpb.FileDescriptorProto{}
		if err := proto.Unmarshal(encoded, file); err != nil {
			t.Fatal(err)
		}
		for _, service := range file.GetService() {
			if file.GetPackage()+"."+service.GetName() != benchmarkService {
				continue
			}
			for _, method := range service.GetMethod() {
				names = append(names, method.GetName())
			}
		}
	}
	return names
}

// foreign starts gRPC's own benchmark server.
func foreign(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(benchmark.StartServer(benchmark.ServerInfo{Type: "protobuf", Listener: listener}))
	return listener.Addr().String()
}

func TestOurClientLoadsGRPCsOwnBenchmarkServer(t *testing.T) {
	t.Parallel()
	address := foreign(t)
	for _, test := range []struct {
		kind              string
		request, response uint32
		streams, messages uint32
	}{
		{stack.KindFirstCall, 0, 0, 0, 0},
		{stack.KindUnary, 1000, 1000, 0, 0},
		{stack.KindUnary, 0, 0, 0, 0},
		{stack.KindUnary, 10, 50_000, 0, 0},
		{stack.KindPingPong, 1000, 1000, 4, 0},
		{stack.KindPingPong, 50_000, 10, 1, 0},
		{stack.KindStream, 100, 300, 0, 7},
	} {
		t.Run(fmt.Sprintf("%s %d %d", test.kind, test.request, test.response), func(t *testing.T) {
			t.Parallel()
			const calls = 200
			c := lengthsOnly(address, test.kind, test.request, test.response)
			c.Streams, c.Call.Messages = test.streams, test.messages
			done := measure(t, connect(t, c), closed(calls))
			wantAll(t, test.kind, done, "OK", calls)
			perCall := int64(max(test.messages, 1))
			if got, want := done.GetPayloadBytesIn(), calls*perCall*int64(test.response); got != want {
				t.Errorf("%d payload bytes came in, want %d", got, want)
			}
		})
	}
}

// The server's own bytes are not ours, and it has no uploads.
func TestOurClientCountsWhatAForeignServerCannotDo(t *testing.T) {
	t.Parallel()
	address := foreign(t)
	checked := lengthsOnly(address, stack.KindUnary, 1000, 1000)
	checked.Call.LengthsOnly = false
	wantAll(t, "checked byte by byte", measure(t, connect(t, checked), closed(20)), "MISMATCH", 20)
	upload := lengthsOnly(address, stack.KindUpload, 1000, 0)
	upload.Call.Messages = 3
	wantAll(t, "upload", measure(t, connect(t, upload), closed(20)), "UNIMPLEMENTED", 20)
}

func lengthsOnly(address, kind string, request, response uint32) *control.Connect {
	c := command("grpc-go", address)
	c.InFlight = 4
	c.Call.Kind, c.Call.RequestBytes, c.Call.ResponseBytes, c.Call.LengthsOnly = kind, request, response, true
	return c
}
