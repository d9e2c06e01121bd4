package tcp

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"rpcbench/internal/stack"
)

const benchBytes = 1000

func benchCaller(tb testing.TB, kind string, batch int) stack.Caller {
	tb.Helper()
	address := dialServer(tb).RemoteAddr().String()
	conn, err := New().Dial(tb.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: 1,
		Dial: new(net.Dialer).DialContext,
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	call := stack.Call{
		Kind: kind, Request: make([]byte, benchBytes), ResponseBytes: benchBytes, Batch: batch,
		Check: func([]byte) error { return nil },
	}
	if stack.HasMessages(kind) {
		call.Messages = 10
	}
	if stack.SharesStreams(kind) {
		call.Streams = 1
	}
	caller, err := conn.Caller(call, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return caller
}

func TestACallAllocatesNothing(t *testing.T) {
	kinds := []string{stack.KindUnary, stack.KindPingPong, stack.KindBurst, stack.KindUpload, stack.KindDownload}
	for i := range 2 * len(kinds) {
		kind, batch := kinds[i/2], i%2*7
		if batch > 0 && !stack.IsBatchKind(kind) {
			continue
		}
		caller, ctx := benchCaller(t, kind, batch), t.Context()
		call := func() {
			if err := caller.Call(ctx); err != nil {
				t.Fatal(err)
			}
			if err := caller.After(); err != nil {
				t.Fatal(err)
			}
		}
		// Client and server are one process: both sides' allocations are counted.
		if got := testing.AllocsPerRun(200, call); got > 0 {
			t.Errorf("%s, batch %d: %v allocations per call, want 0", kind, batch, got)
		}
	}
}

func BenchmarkUnary(b *testing.B) {
	caller, ctx := benchCaller(b, stack.KindUnary, 0), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := caller.Call(ctx); err != nil {
			b.Fatal(err)
		}
		if err := caller.After(); err != nil {
			b.Fatal(err)
		}
	}
}

// The simplest loop over the same protocol, on a server as simple.
func BenchmarkUnaryBareLoop(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go bareServer(l)
	socket, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer socket.Close()
	request := newFrame(header{replyBytes: benchBytes, replies: 1}, make([]byte, benchBytes))
	reply := make([]byte, len(request))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := socket.Write(request); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(socket, reply); err != nil {
			b.Fatal(err)
		}
	}
}

func bareServer(l net.Listener) {
	socket, err := l.Accept()
	if err != nil {
		return
	}
	defer socket.Close()
	frame := make([]byte, headerBytes+benchBytes)
	for {
		if _, err := io.ReadFull(socket, frame); err != nil {
			return
		}
		clear(frame[4:headerBytes])
		binary.BigEndian.PutUint32(frame, benchBytes)
		if _, err := socket.Write(frame); err != nil {
			return
		}
	}
}
