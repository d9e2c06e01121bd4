package grpcgo_test

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/benchmark"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/sockettest"
)

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func reply(n int) []byte { return slices.Repeat([]byte{7}, n) }

// serve starts our server and returns its address.
func serve(t testing.TB) string {
	t.Helper()
	l := listen(t)
	server, err := grpcgo.New().Serve(stack.ServeConfig{Listener: l, Reply: reply})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := server.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// bareClient connects to our server as somebody else's client would.
func bareClient(t testing.TB) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(serve(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// dial connects our client to address.
func dial(t testing.TB, address string, inFlight int) stack.Conn {
	t.Helper()
	conn, err := grpcgo.New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: inFlight,
		Dial: new(net.Dialer).DialContext,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestServerSendsTheStatusAskedFor(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(bareClient(t))
	_, err := client.UnaryCall(t.Context(), &testpb.SimpleRequest{
		ResponseStatus: &testpb.EchoStatus{Code: int32(codes.DataLoss), Message: "lost"},
	})
	if got := status.Convert(err); got.Code() != codes.DataLoss || got.Message() != "lost" {
		t.Errorf("got %v, want DataLoss: lost", err)
	}
}

func TestServerRefusesAResponseSizeOverTheLimit(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(bareClient(t))
	for _, size := range []int32{-1, stack.MessageBytesMax + 1} {
		_, err := client.UnaryCall(t.Context(), &testpb.SimpleRequest{ResponseSize: size})
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("response_size %d: got %v, want InvalidArgument", size, err)
		}
	}
}

func TestDownloadWithoutMetadataEndsWithTheClient(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(bareClient(t))
	stream, err := client.StreamingFromServer(t.Context(), &testpb.SimpleRequest{ResponseSize: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		response, err := stream.Recv()
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if got := response.GetPayload().GetBody(); !slices.Equal(got, reply(3)) {
			t.Fatalf("message %d is %v, want %v", i, got, reply(3))
		}
	}
}

func TestDownloadRefusesRubbishInTheMetadata(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(bareClient(t))
	ctx := metadata.AppendToOutgoingContext(t.Context(), stack.MessagesMetadata, "many")
	stream, err := client.StreamingFromServer(ctx, &testpb.SimpleRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.InvalidArgument {
		t.Errorf("got %v, want InvalidArgument", err)
	}
}

func TestStreamingBothWaysSendsUntilTheClientHasSentAll(t *testing.T) {
	t.Parallel()
	client := testpb.NewBenchmarkServiceClient(bareClient(t))
	stream, err := client.StreamingBothWays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&testpb.SimpleRequest{ResponseSize: 2}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = stream.Recv()
	}
	if err.Error() != "EOF" {
		t.Errorf("the stream ended with %v, want EOF", err)
	}
}

func TestReflectionListsTheService(t *testing.T) {
	t.Parallel()
	stream, err := reflectionpb.NewServerReflectionClient(bareClient(t)).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request := &reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{},
	}
	if err := stream.Send(request); err != nil {
		t.Fatal(err)
	}
	response, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, service := range response.GetListServicesResponse().GetService() {
		names = append(names, service.GetName())
	}
	for _, want := range []string{"grpc.testing.BenchmarkService", "rpcbench.batch.v1.BatchService"} {
		if !slices.Contains(names, want) {
			t.Errorf("services are %v, want %s among them", names, want)
		}
	}
}

// The benchmark server of the library's authors answers with zeros and knows no metadata.
func TestClientLoadsTheLibrarysOwnBenchmarkServer(t *testing.T) {
	t.Parallel()
	l := listen(t)
	t.Cleanup(benchmark.StartServer(benchmark.ServerInfo{Type: "protobuf", Listener: l}))
	conn := dial(t, l.Addr().String(), 2)
	for _, call := range []stack.Call{
		{Kind: stack.KindUnary}, {Kind: stack.KindPingPong, Streams: 1}, {Kind: stack.KindPingPong, Streams: 2},
	} {
		call.Request, call.ResponseBytes = reply(10), 1000
		for slot := range 2 {
			callOnce(t, conn, call, slot)
		}
	}
}

// A server that does not know our metadata sends forever.
func TestDownloadLeavesAServerThatSendsForEver(t *testing.T) {
	t.Parallel()
	l := listen(t)
	server := grpc.NewServer()
	endless := &endless{left: make(chan struct{})}
	testpb.RegisterBenchmarkServiceServer(server, endless)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	conn := dial(t, l.Addr().String(), 1)
	callOnce(t, conn, stack.Call{Kind: stack.KindDownload, ResponseBytes: 5, Messages: 7}, 0)
	<-endless.left
}

type endless struct {
	testpb.UnimplementedBenchmarkServiceServer
	left chan struct{}
}

func (e *endless) StreamingFromServer(_ *testpb.SimpleRequest, s testpb.BenchmarkService_StreamingFromServerServer) error {
	defer close(e.left)
	for {
		if err := s.Send(&testpb.SimpleResponse{Payload: &testpb.Payload{Body: reply(5)}}); err != nil {
			return err
		}
	}
}

func callOnce(t *testing.T, conn stack.Conn, call stack.Call, slot int) {
	t.Helper()
	caller, err := conn.Caller(call, slot)
	if err == nil {
		err = caller.Call(t.Context())
	}
	if err == nil {
		err = caller.After()
	}
	if err != nil {
		t.Errorf("%s, slot %d: %v", call.Kind, slot, err)
	}
}

func TestEveryOptionWorksOnItsSides(t *testing.T) {
	t.Parallel()
	for _, option := range grpcgo.New().Info().Options {
		if option.Name == stack.GenericResponse {
			continue // such a server answers with bare bytes
		}
		value := strconv.Itoa(1 << 20)
		if other, ok := map[string]string{"stream_workers": "4", "codec": "pooled", "send_deadline": "true",
			"shared_write_buffer": "true", "buffer_pool": "none"}[option.Name]; ok {
			value = other
		}
		given := map[string]string{option.Name: value}
		l := listen(t)
		serving := stack.ServeConfig{Listener: l, Reply: reply}
		dialling := stack.DialConfig{
			Network: stack.NetworkTCP, Address: l.Addr().String(), Compression: stack.CompressionNone, InFlight: 1,
			Dial: new(net.Dialer).DialContext,
		}
		if option.Server {
			serving.Options = given
		}
		if option.Client {
			dialling.Options = given
		}
		server, err := grpcgo.New().Serve(serving)
		if err != nil {
			t.Fatalf("%s: %v", option.Name, err)
		}
		conn, err := grpcgo.New().Dial(t.Context(), dialling)
		if err != nil {
			t.Fatalf("%s: %v", option.Name, err)
		}
		callOnce(t, conn, stack.Call{Kind: stack.KindUnary, Request: reply(9), ResponseBytes: 9}, 0)
		conn.Close()
		if err := server.Stop(t.Context()); err != nil {
			t.Errorf("%s: Stop: %v", option.Name, err)
		}
	}
}

func TestABadOptionIsNamed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"write_buffer_bytes": "0", "read_buffer_bytes": "x", "window_bytes": "1000",
		"stream_workers": "-1", "codec": "vom", "generic_response_bytes": "-1",
		"shared_write_buffer": "yes", "buffer_pool": "mine",
	} {
		l := listen(t)
		_, err := grpcgo.New().Serve(stack.ServeConfig{Listener: l, Options: map[string]string{name: value}})
		l.Close()
		if stack.CodeOf(err) != stack.InvalidArgument {
			t.Errorf("%s=%s: %v, want INVALID_ARGUMENT", name, value, err)
		}
	}
}

func TestADeadPortIsUnavailableAndSaysWhy(t *testing.T) {
	t.Parallel()
	_, err := grpcgo.New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: sockettest.ClosedPort(t), Compression: stack.CompressionNone, InFlight: 1,
		Dial: new(net.Dialer).DialContext,
	})
	if stack.CodeOf(err) != stack.Unavailable {
		t.Fatalf("got %v, want UNAVAILABLE", err)
	}
	if !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("%q does not say that the connection was refused", err)
	}
}
