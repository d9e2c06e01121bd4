package script_test

import (
	"context"
	"net"
	"testing"
	"time"

	"rpcbench/internal/check/script"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/test/stacktest"
)

// caller serves a stack by a script until the test ends, and returns a Caller of unary calls to it.
func caller(t *testing.T, s stack.Stack, text string) stack.Caller {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := script.Wrap(s).Serve(stack.ServeConfig{
		Listener: listener, Reply: func(n int) []byte { return make([]byte, n) }, Options: map[string]string{script.Option: text},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stack.StopGrace)
		defer cancel()
		server.Stop(ctx)
	})
	conn, err := s.Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: listener.Addr().String(), Dial: new(net.Dialer).DialContext,
		Compression: stack.CompressionNone, InFlight: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	made, err := conn.Caller(stack.Call{Kind: stack.KindUnary, Request: make([]byte, 10), ResponseBytes: 10}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func stacks() []stack.Stack {
	return []stack.Stack{tcp.New(), grpcgo.New(), connectgo.New(), connectgo.NewJSON(), httpjson.New()}
}

func TestWithoutAScriptItIsTheStack(t *testing.T) {
	t.Parallel()
	stacktest.IsTheStack(t, script.Wrap)
}

// A call can't end before its server has held it. The gate's pause begins with the first byte, which arrives no sooner than the
// client connects. How much later a call ends is measured by selftest.
func TestEveryStackHoldsCallsAsItsScriptSays(t *testing.T) {
	t.Parallel()
	for _, s := range stacks() {
		for _, text := range []string{"fixed 30ms", "pause 30ms every 1h"} {
			t.Run(s.Info().Name+"/"+text, func(t *testing.T) {
				t.Parallel()
				begun := time.Now()
				if err := caller(t, s, text).Call(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begun); took < 30*time.Millisecond {
					t.Errorf("the call took %v", took)
				}
			})
		}
	}
}

func TestEveryStackDropsCalls(t *testing.T) {
	t.Parallel()
	for _, s := range stacks() {
		t.Run(s.Info().Name, func(t *testing.T) {
			t.Parallel()
			calls := caller(t, s, "drop every 2")
			if err := calls.Call(t.Context()); err != nil {
				t.Fatalf("the first call: %v", err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if got := stack.CodeOf(calls.Call(ctx)); got != stack.DeadlineExceeded {
				t.Errorf("the second call is %v", got)
			}
		})
	}
}

func TestAFailureIsToldInTheWordsOfTheProtocol(t *testing.T) {
	t.Parallel()
	want := map[string]stack.Code{
		"grpc-go": stack.Internal, "connect-go": stack.Internal, "connect-go-json": stack.Internal, "http-json-go": stack.Unknown,
	}
	for _, s := range stacks() {
		code, has := want[s.Info().Name]
		if !has {
			continue
		}
		if got := stack.CodeOf(caller(t, s, "fail").Call(t.Context())); got != code {
			t.Errorf("%s: the call is %v, want %v", s.Info().Name, got, code)
		}
	}
	_, err := script.Wrap(tcp.New()).Serve(stack.ServeConfig{Options: map[string]string{script.Option: "fail"}})
	if stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("tcp has no status to fail with, but the error is %v", err)
	}
}
