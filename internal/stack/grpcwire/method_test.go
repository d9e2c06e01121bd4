package grpcwire_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
)

// requests have as many bytes as the call's number, times 100; call 3 can't be made.
type requests struct{ constant bool }

func (r requests) Constant() ([]byte, bool) {
	if !r.constant {
		return nil, false
	}
	message, _ := r.Append(nil, 1, 0)
	return message, true
}

func (requests) Messages(call uint64) int { return int(call) }

func (requests) Append(dst []byte, call uint64, _ int) ([]byte, error) {
	if call == 3 {
		return dst, errors.New("call 3 does not fit")
	}
	return proto.MarshalOptions{}.MarshalAppend(dst, &testpb.SimpleRequest{
		ResponseSize: 7, Payload: &testpb.Payload{Body: make([]byte, 100*call)},
	})
}

// A count is the call's number.
type count struct{ constant string }

func (c count) Constant() ([]byte, bool) { return []byte(c.constant), c.constant != "" }

func (c count) Append(dst []byte, call uint64) ([]byte, error) {
	if c.constant != "" {
		return append(dst, c.constant...), nil
	}
	return strconv.AppendUint(dst, call, 10), nil
}

func (c count) AppendWire(dst []byte, call uint64) ([]byte, error) { return c.Append(dst, call) }

func TestMethodsOfOthersAreCalled(t *testing.T) {
	t.Parallel()
	reply := proto.Size(&testpb.SimpleResponse{Payload: &testpb.Payload{Body: make([]byte, 7)}})
	bare := proto.Size(&testpb.SimpleResponse{Payload: &testpb.Payload{}})
	for _, c := range []struct {
		kind, method string
		messages     int
		requests     requests
		metadata     []stack.Metadatum
		want         []stack.Code // of calls 0, 1, …
		out, in      int64        // messages
	}{
		{stack.KindUnary, "UnaryCall", 0, requests{}, nil,
			[]stack.Code{stack.OK, stack.OK, stack.OK, stack.InvalidArgument, stack.OK}, 4, 4},
		{stack.KindUnary, "UnaryCall", 0, requests{constant: true}, []stack.Metadatum{{Name: "a", Value: count{"1"}}},
			[]stack.Code{stack.OK, stack.OK, stack.OK, stack.OK}, 4, 4},
		{stack.KindUnary, "NoSuchCall", 0, requests{}, nil, []stack.Code{stack.Unimplemented}, 0, 0},
		{stack.KindUpload, "StreamingFromClient", 0, requests{}, nil, []stack.Code{stack.OK, stack.OK, stack.OK}, 3, 3},
		{stack.KindUpload, "StreamingFromClient", 5, requests{}, nil, []stack.Code{stack.OK, stack.OK}, 10, 2},
		{stack.KindStream, "StreamingCall", 0, requests{}, nil, []stack.Code{stack.OK, stack.OK, stack.OK}, 3, 3},
		{stack.KindStream, "StreamingCall", 4, requests{constant: true}, nil, []stack.Code{stack.OK, stack.OK}, 8, 8},
		{stack.KindDownload, "StreamingFromServer", 3, requests{}, nil, []stack.Code{stack.OK, stack.OK}, 2, 6},
		{stack.KindDownload, "StreamingFromServer", 0, requests{}, []stack.Metadatum{{Name: stack.MessagesMetadata, Value: count{}}},
			[]stack.Code{stack.OK, stack.OK, stack.OK}, 3, 3},
		{stack.KindPingPong, "StreamingCall", 0, requests{}, nil,
			[]stack.Code{stack.OK, stack.OK, stack.OK, stack.InvalidArgument, stack.OK}, 4, 4},
	} {
		t.Run(c.kind+" "+c.method+" "+strconv.Itoa(c.messages), func(t *testing.T) {
			t.Parallel()
			method := &stack.Method{
				Path: "/grpc.testing.BenchmarkService/" + c.method, Metadata: c.metadata, Requests: c.requests,
			}
			caller := callerOf(t, stack.Call{Kind: c.kind, Messages: c.messages, Streams: 1, Method: method})
			for i, want := range c.want {
				if err := caller.Call(t.Context()); stack.CodeOf(err) != want {
					t.Errorf("call %d: %v, want %v", i, err, want)
				}
				if err := caller.After(); err != nil {
					t.Errorf("after call %d: %v", i, err)
				}
			}
			got := method.Traffic()
			empty := int64(0) // replies to an upload of nothing, which have no payload
			if c.kind == stack.KindUpload && c.messages == 0 {
				empty = 1
			}
			bytesIn := (c.in-empty)*int64(reply) + empty*int64(bare)
			if got.MessagesOut != c.out || got.MessagesIn != c.in || got.BytesIn != bytesIn {
				t.Errorf("traffic %+v, want %d messages out, %d in of %d bytes", got, c.out, c.in, reply)
			}
		})
	}
}

// On an open stream each message is a call, of which the fourth can't be made here: the stream goes on with the next.
func TestStreamsThatEndAreCallsOfAMethod(t *testing.T) {
	t.Parallel()
	method := &stack.Method{Path: "/grpc.testing.BenchmarkService/StreamingCall", Requests: requests{}}
	caller := callerOf(t, stack.Call{Kind: stack.KindPingPong, Streams: 1, PerStream: 2, Method: method})
	for i, want := range []stack.Code{stack.OK, stack.OK, stack.OK, stack.InvalidArgument, stack.OK, stack.OK, stack.OK, stack.OK} {
		if err := caller.Call(t.Context()); stack.CodeOf(err) != want {
			t.Errorf("call %d: %v, want %v", i, err, want)
		}
	}
	if got := method.Traffic(); got.MessagesOut != 7 || got.MessagesIn != 7 {
		t.Errorf("traffic %+v, want 7 messages each way", got)
	}
}

// callerOf makes a call's only slot, against grpc-go's server.
func callerOf(t *testing.T, call stack.Call) stack.Caller {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := grpcgo.New().Serve(stack.ServeConfig{Listener: listener, Reply: func(n int) []byte { return make([]byte, n) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		server.Stop(ctx)
	})
	conn, err := grpcwire.New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: listener.Addr().String(), Compression: stack.CompressionNone, InFlight: 1,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if !stack.SharesStreams(call.Kind) {
		call.Streams = 0
	}
	caller, err := conn.Caller(call, 0)
	if err != nil {
		t.Fatal(err)
	}
	return caller
}
