package passthrough_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/passthrough"
)

// limit ends what hangs. A machine that stands still for a while does not reach it.
const limit = 3 * time.Minute

// A service answers as it is told to by metadata.
type service struct {
	testpb.UnimplementedBenchmarkServiceServer
	came chan struct{} // a call without an answer has begun
	gone chan error    // why it ended
}

func (s service) UnaryCall(ctx context.Context, r *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	asked, _ := metadata.FromIncomingContext(ctx)
	_ = grpc.SetHeader(ctx, metadata.Pairs("x-header", "h"))
	_ = grpc.SetTrailer(ctx, metadata.Pairs("x-trailer", "t"))
	switch {
	case len(asked["x-wait"]) > 0:
		s.came <- struct{}{}
		<-ctx.Done()
		s.gone <- ctx.Err()
		return nil, ctx.Err()
	case len(asked["x-fail"]) > 0:
		return nil, status.Error(codes.DataLoss, "it is lost: "+asked["x-fail"][0])
	}
	return &testpb.SimpleResponse{Payload: r.GetPayload()}, nil
}

func (s service) StreamingCall(stream testpb.BenchmarkService_StreamingCallServer) error {
	asked, _ := metadata.FromIncomingContext(stream.Context())
	if len(asked["x-fail"]) > 0 {
		return status.Error(codes.DataLoss, "it is lost: "+asked["x-fail"][0])
	}
	if len(asked["x-early"]) > 0 {
		if err := stream.SendHeader(metadata.Pairs("x-header", "h")); err != nil {
			return err
		}
	}
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = stream.Send(&testpb.SimpleResponse{Payload: r.GetPayload()})
		}
		if err != nil {
			return err
		}
	}
}

// through starts a server and a proxy before it, and returns a client of the proxy.
func through(t *testing.T) (testpb.BenchmarkServiceClient, service, *grpc.Server) {
	t.Helper()
	served := service{came: make(chan struct{}, 1), gone: make(chan error, 1)}
	upstream := listener(t)
	server := grpc.NewServer()
	testpb.RegisterBenchmarkServiceServer(server, served)
	go func() { _ = server.Serve(upstream) }()
	t.Cleanup(server.Stop)
	before := listener(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- passthrough.Run(ctx, passthrough.Config{
			Listener: before, Network: "tcp", Upstream: upstream.Addr().String(),
		})
	}()
	conn, err := grpc.NewClient(before.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the proxy ended: %v", err)
		}
	})
	return testpb.NewBenchmarkServiceClient(conn), served, server
}

func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func payload(n int) *testpb.SimpleRequest {
	return &testpb.SimpleRequest{Payload: &testpb.Payload{Body: bytes.Repeat([]byte("x"), n)}}
}

func TestCallsPassWithAllThatTheyHave(t *testing.T) {
	t.Parallel()
	client, _, _ := through(t)
	for _, options := range [][]grpc.CallOption{nil, {grpc.UseCompressor(gzip.Name)}} {
		for _, n := range []int{0, 1000, 1 << 20} {
			var header, trailer metadata.MD
			options := append(options, grpc.Header(&header), grpc.Trailer(&trailer))
			reply, err := client.UnaryCall(t.Context(), payload(n), options...)
			if err != nil || len(reply.GetPayload().GetBody()) != n {
				t.Fatalf("%d bytes: %d, %v", n, len(reply.GetPayload().GetBody()), err)
			}
			if fmt.Sprint(header["x-header"], trailer["x-trailer"]) != "[h] [t]" {
				t.Errorf("headers %v, trailers %v", header, trailer)
			}
		}
	}
	_, err := client.UnaryCall(metadata.AppendToOutgoingContext(t.Context(), "x-fail", "why"), payload(1))
	if got := status.Convert(err); got.Code() != codes.DataLoss || got.Message() != "it is lost: why" {
		t.Errorf("a failure is %v", err)
	}
}

func TestMessagesOfAStreamPassOneByOne(t *testing.T) {
	t.Parallel()
	client, _, _ := through(t)
	stream, err := client.StreamingCall(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 { // each is answered before the next is sent
		if err := stream.Send(payload(n)); err != nil {
			t.Fatal(err)
		}
		if reply, err := stream.Recv(); err != nil || len(reply.GetPayload().GetBody()) != n {
			t.Fatalf("message %d: %d bytes, %v", n, len(reply.GetPayload().GetBody()), err)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		t.Errorf("the end is %v", err)
	}
}

// A client may wait for headers before it sends anything.
func TestHeadersPassBeforeTheFirstMessage(t *testing.T) {
	t.Parallel()
	client, _, _ := through(t)
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(t.Context(), "x-early", "1"), limit)
	defer cancel()
	stream, err := client.StreamingCall(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if header, err := stream.Header(); err != nil || fmt.Sprint(header["x-header"]) != "[h]" {
		t.Fatalf("headers %v, %v", header, err)
	}
	if err := stream.Send(payload(7)); err != nil {
		t.Fatal(err)
	}
	if reply, err := stream.Recv(); err != nil || len(reply.GetPayload().GetBody()) != 7 {
		t.Errorf("%d bytes, %v", len(reply.GetPayload().GetBody()), err)
	}
}

// A call that fails before the server has sent headers has none behind the proxy either.
func TestAReplyWithoutHeadersStaysOne(t *testing.T) {
	t.Parallel()
	client, _, _ := through(t)
	stream, err := client.StreamingCall(metadata.AppendToOutgoingContext(t.Context(), "x-fail", "why"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recv()
	if got := status.Convert(err); got.Code() != codes.DataLoss || got.Message() != "it is lost: why" {
		t.Errorf("the failure is %v", err)
	}
	if header, err := stream.Header(); err != nil || header != nil {
		t.Errorf("headers %v, %v; want none", header, err)
	}
}

// A call that its client gives up ends at the server, too.
func TestACancelledCallEndsAtTheServer(t *testing.T) {
	t.Parallel()
	client, served, _ := through(t)
	ctx, cancel := context.WithCancel(metadata.AppendToOutgoingContext(t.Context(), "x-wait", "1"))
	defer cancel()
	go func() { <-served.came; cancel() }()
	if _, err := client.UnaryCall(ctx, payload(1)); status.Code(err) != codes.Canceled {
		t.Errorf("the call ended with %v", err)
	}
	if err := <-served.gone; err == nil {
		t.Error("the server's call ended without a reason")
	}
}

func TestAServerThatIsGoneFailsCalls(t *testing.T) {
	t.Parallel()
	client, _, server := through(t)
	if _, err := client.UnaryCall(t.Context(), payload(1)); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if _, err := client.UnaryCall(t.Context(), payload(1)); status.Code(err) != codes.Unavailable {
		t.Errorf("the call ended with %v", err)
	}
}
