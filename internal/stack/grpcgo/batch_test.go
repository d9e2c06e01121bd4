package grpcgo_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/stacktest"
)

// A rogue server answers wrongly.
type rogue struct {
	batchv1.UnimplementedBatchServiceServer
	stacktest.Rogue
}

func (r rogue) Unary(_ context.Context, b *batchv1.Batch) (*batchv1.Batch, error) {
	r.Spoil(b)
	return b, nil
}

func (r rogue) Stream(stream grpc.BidiStreamingServer[batchv1.Batch, batchv1.Batch]) error {
	for {
		var answers []*batchv1.Batch
		for range 2 {
			answer, err := stream.Recv()
			if err != nil {
				return err
			}
			answers = append(answers, answer)
		}
		r.Reorder(answers)
		for _, answer := range answers {
			if err := stream.Send(answer); err != nil {
				return err
			}
		}
	}
}

func TestAnswersThatAreWrongAreMismatch(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]stack.Stack{"proto": grpcgo.New(), "pooled": coded{grpcgo.New(), "pooled", "pooled"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stacktest.RogueServers(t, s, func(t *testing.T, r stacktest.Rogue) string {
				t.Helper()
				l := listen(t)
				server := grpc.NewServer()
				batchv1.RegisterBatchServiceServer(server, rogue{Rogue: r})
				go server.Serve(l)
				t.Cleanup(server.Stop)
				return l.Addr().String()
			})
		})
	}
}

func batchCall(kind string, operations, size int) stack.Call {
	payload := reply(size)
	return stack.Call{
		Kind: kind, Batch: operations, Request: payload, ResponseBytes: size, Streams: 1,
		Check: func(got []byte) error {
			if !slices.Equal(got, payload) {
				return stack.Errorf(stack.Mismatch, "other bytes")
			}
			return nil
		},
	}
}

// What operations in a message cost; both sides are in one process.
func BenchmarkBatch(b *testing.B) { benchmarkBatch(b, grpcgo.New()) }

func BenchmarkBatchPooled(b *testing.B) { benchmarkBatch(b, coded{grpcgo.New(), "pooled", "pooled"}) }

func benchmarkBatch(b *testing.B, s stack.Stack) {
	for _, operations := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprint(operations), func(b *testing.B) {
			l := listen(b)
			server, err := s.Serve(stack.ServeConfig{Listener: l, Reply: reply})
			if err != nil {
				b.Fatal(err)
			}
			defer server.Stop(b.Context())
			conn, err := s.Dial(b.Context(), stack.DialConfig{
				Network: stack.NetworkTCP, Address: l.Addr().String(), Compression: stack.CompressionNone, InFlight: 1,
				Dial: new(net.Dialer).DialContext,
			})
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close()
			caller, err := conn.Caller(batchCall(stack.KindPingPong, operations, 8), 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := caller.Call(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := caller.After(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*operations)/b.Elapsed().Seconds(), "operations/s")
		})
	}
}

func TestServerRefusesAnswersOverTheLimit(t *testing.T) {
	t.Parallel()
	client := batchv1.NewBatchServiceClient(bareClient(t))
	request := batchv1.New(2, nil, stack.MessageBytesMax)
	if _, err := client.Unary(t.Context(), request); status.Code(err) != codes.InvalidArgument {
		t.Errorf("got %v, want InvalidArgument", err)
	}
}
