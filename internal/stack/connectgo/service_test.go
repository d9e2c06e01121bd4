package connectgo_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/sockettest"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func serve(t *testing.T, options map[string]string) string {
	t.Helper()
	l := listen(t)
	server, err := connectgo.New().Serve(stack.ServeConfig{
		Listener: l, Reply: func(n int) []byte { return make([]byte, n) }, Options: options,
	})
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

// serveHandler starts a server of the test's own and returns its address.
func serveHandler(t *testing.T, handler http.Handler) string {
	t.Helper()
	l := listen(t)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: handler, Protocols: protocols}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

func dialConfig(address string) stack.DialConfig {
	return stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: 1,
		Dial: new(net.Dialer).DialContext,
	}
}

func callOnce(t *testing.T, config stack.DialConfig, call stack.Call) error {
	t.Helper()
	conn, err := connectgo.New().Dial(t.Context(), config)
	if err != nil {
		return err
	}
	defer conn.Close()
	caller, err := conn.Caller(call, 0)
	if err != nil {
		return err
	}
	if err := caller.Call(t.Context()); err != nil {
		return err
	}
	return caller.After()
}

// Unary calls of the Connect protocol are plain posts: curl can make them.
func TestAPlainPostIsAnswered(t *testing.T) {
	t.Parallel()
	response, err := http.Post("http://"+serve(t, nil)+"/grpc.testing.BenchmarkService/UnaryCall", "application/json",
		strings.NewReader(`{"responseSize": 3, "payload": {"body": "YWJj"}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text := make([]byte, 100)
	n, _ := response.Body.Read(text)
	if got := strings.ReplaceAll(string(text[:n]), " ", ""); got != `{"payload":{"body":"YWJj"}}` {
		t.Errorf("got status %s and %s", response.Status, got)
	}
}

func TestServerSendsTheStatusAskedFor(t *testing.T) {
	t.Parallel()
	client := connect.NewClient[testpb.SimpleRequest, testpb.SimpleResponse](
		http.DefaultClient, "http://"+serve(t, nil)+"/grpc.testing.BenchmarkService/UnaryCall")
	_, err := client.CallUnary(t.Context(), connect.NewRequest(&testpb.SimpleRequest{
		ResponseStatus: &testpb.EchoStatus{Code: int32(connect.CodeDataLoss), Message: "lost"},
	}))
	if connect.CodeOf(err) != connect.CodeDataLoss {
		t.Errorf("got %v, want data_loss: lost", err)
	}
}

// A server that does not know our metadata sends forever.
func TestDownloadLeavesAServerThatSendsForEver(t *testing.T) {
	t.Parallel()
	left := make(chan error, 1)
	const procedure = "/grpc.testing.BenchmarkService/StreamingFromServer"
	handler := connect.NewServerStreamHandler(procedure, func(
		_ context.Context, _ *connect.Request[testpb.SimpleRequest], stream *connect.ServerStream[testpb.SimpleResponse],
	) error {
		for {
			if err := stream.Send(&testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte("hello")}}); err != nil {
				left <- err
				return err
			}
		}
	})
	call := stack.Call{Kind: stack.KindDownload, ResponseBytes: 5, Messages: 7}
	if err := callOnce(t, dialConfig(serveHandler(t, handler)), call); err != nil {
		t.Error(err)
	}
	<-left
}

func TestEveryOptionWorksOnBothSides(t *testing.T) {
	t.Parallel()
	options := map[string]string{"window_bytes": "1000000", "read_frame_bytes": "100000"}
	config := dialConfig(serve(t, options))
	config.Options = options
	call := stack.Call{Kind: stack.KindUnary, Request: make([]byte, 500_000), ResponseBytes: 500_000}
	if err := callOnce(t, config, call); err != nil {
		t.Error(err)
	}
}

func TestABadOptionIsNamed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"window_bytes": "65535", "read_frame_bytes": "x"} {
		config := dialConfig("127.0.0.1:1")
		config.Options = map[string]string{name: value}
		err := callOnce(t, config, stack.Call{Kind: stack.KindUnary})
		if stack.CodeOf(err) != stack.InvalidArgument || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v, want INVALID_ARGUMENT that names it", name, value, err)
		}
	}
}

func TestADeadPortIsUnavailable(t *testing.T) {
	t.Parallel()
	err := callOnce(t, dialConfig(sockettest.ClosedPort(t)), stack.Call{Kind: stack.KindUnary})
	if stack.CodeOf(err) != stack.Unavailable {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
	if operation := new(net.OpError); !errors.As(err, &operation) {
		t.Errorf("%v does not keep its cause", err)
	}
}
