package grpcgo_test

import (
	"bytes"
	"crypto/tls"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/allocated"
)

// encoded is a codec of messages that are encoded already.
type encoded struct{}

// Name is encoding.CodecV2's.
func (encoded) Name() string { return "proto" }

// Marshal is encoding.CodecV2's.
func (encoded) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*[]byte))}, nil
}

// Unmarshal is encoding.CodecV2's.
func (encoded) Unmarshal(mem.BufferSlice, any) error { return nil }

// attack sends one message to a server, and returns its status and what both sides allocated.
func attack(
	t *testing.T, config stack.ServeConfig, method string, message []byte, options ...grpc.CallOption,
) (codes.Code, uint64) {
	t.Helper()
	config.Listener, config.Reply = listen(t), reply
	server, err := grpcgo.New().Serve(config)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop(t.Context())
	client, err := grpc.NewClient(config.Listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	bytes := allocated.Bytes(func() {
		options = append(options, grpc.ForceCodecV2(encoded{}))
		err = client.Invoke(t.Context(), method, &message, new([]byte), options...)
	})
	return status.Code(err), bytes
}

// Not parallel: it counts what the process allocates.
func TestABatchIsCountedBeforeItIsDecoded(t *testing.T) {
	bomb := bytes.Repeat([]byte{0x0a, 0}, 2_000_000) // empty operations, which gzip packs into 4 kB
	for _, codec := range []string{"proto", "pooled"} {
		config := stack.ServeConfig{
			Limits: stack.Limits{RequestBytes: 4 << 20, Batch: 10_000}, Options: map[string]string{"codec": codec},
		}
		code, took := attack(t, config, "/rpcbench.batch.v1.BatchService/Unary", bomb, grpc.UseCompressor(gzip.Name))
		if code != codes.ResourceExhausted || took > 40<<20 {
			t.Errorf("%s: got %v and %d bytes allocated, want ResourceExhausted and 40 MB at most", codec, code, took)
		}
	}
}

// Not parallel: it counts what the process allocates.
func TestADeniedClientIsNotRead(t *testing.T) {
	config := stack.ServeConfig{Authorize: func(tls.ConnectionState) error {
		return stack.Errorf(stack.PermissionDenied, "nobody may call")
	}}
	large := append([]byte{0x1a, 0xf9, 0xff, 0xff, 0x1f, 0x12, 0xf4, 0xff, 0xff, 0x1f}, make([]byte, 60_000_000)...)
	code, took := attack(t, config, "/grpc.testing.BenchmarkService/UnaryCall", large)
	if code != codes.PermissionDenied || took > 10<<20 {
		t.Errorf("got %v and %d bytes allocated, want PermissionDenied and 10 MB at most", code, took)
	}
}
