package worker

import (
	"context"
	"crypto/tls"
	"math"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

func TestWhatTheWrapperCountsIsWhatTCPCarried(t *testing.T) {
	t.Parallel()
	for _, security := range []string{stack.SecurityPlaintext, stack.SecurityMTLS} {
		t.Run(security, func(t *testing.T) {
			t.Parallel()
			server, client := observed(t, security)
			for _, side := range []struct {
				name string
				*observer
			}{{"server", server}, {"client", client}} {
				out, in := side.kernel(t)
				within(t, side.name+" out", side.wire.out.Load(), out)
				within(t, side.name+" in", side.wire.in.Load(), in)
			}
			if out, in := client.wire.out.Load(), client.wire.in.Load(); out < wireCalls*wireBytes || in < wireCalls*wireBytes {
				t.Errorf("%d bytes out, %d in: the payload alone has %d", out, in, wireCalls*wireBytes)
			}
		})
	}
}

const (
	wireCalls = 300
	wireBytes = 1000
)

// within wants two counts to differ by 1% at the most.
func within(t *testing.T, what string, got, want int64) {
	t.Helper()
	if math.Abs(float64(got-want)) > float64(want)/100 {
		t.Errorf("%s: the wrapper counts %d bytes, TCP %d", what, got, want)
	}
}

// observed makes calls on one connection, and returns what both sides counted and the sockets below.
func observed(t *testing.T, security string) (server, client *observer) {
	t.Helper()
	serverKeys, clientKeys := keys(t, security)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, client = &observer{wire: &wire{}}, &observer{wire: &wire{}}
	g := grpcgo.New()
	serving, err := g.Serve(stack.ServeConfig{
		Listener: observedListener{countedListener{listener, server.wire}, server}, TLS: serverKeys,
		Reply: func(n int) []byte { return make([]byte, n) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serving.Stop(t.Context()) })
	conn, err := g.Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: listener.Addr().String(), TLS: clientKeys, Compression: stack.CompressionNone,
		InFlight: 1, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := client.wire.dial(ctx, network, address)
			client.keep(conn)
			return conn, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	call(t, conn)
	return server, client
}

func call(t *testing.T, conn stack.Conn) {
	t.Helper()
	caller, err := conn.Caller(stack.Call{
		Kind: stack.KindUnary, Request: stack.Payload(stack.PayloadRandom, 1, wireBytes), ResponseBytes: wireBytes,
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range wireCalls {
		if err := caller.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := caller.After(); err != nil {
			t.Fatal(err)
		}
	}
}

// keys makes both sides' TLS, none for plaintext.
func keys(t *testing.T, security string) (server, client *tls.Config) {
	t.Helper()
	set, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	pems := func(own credential.Pair) *control.Security {
		return &control.Security{
			Mode: security, CaPem: set.CAPEM, CertPem: own.CertPEM, KeyPem: own.KeyPEM, ServerName: credential.ServerName,
		}
	}
	if security == stack.SecurityPlaintext {
		return nil, nil
	}
	if server, err = serverTLS(pems(set.Server)); err != nil {
		t.Fatal(err)
	}
	if client, err = ClientTLS(pems(set.Client)); err != nil {
		t.Fatal(err)
	}
	return server, client
}

// An observer keeps the sockets whose bytes a wire counts.
type observer struct {
	wire *wire
	mu   sync.Mutex
	raw  []syscall.RawConn
}

func (o *observer) keep(conn net.Conn) {
	if s, ok := conn.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.raw = append(o.raw, raw)
		}
	}
}

type observedListener struct {
	net.Listener
	*observer
}

func (l observedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.keep(conn)
	}
	return conn, err
}

// kernel returns what TCP says that the other side has acknowledged, and that came in. The last acknowledgement may take
// the 40 ms by which it may be delayed.
func (o *observer) kernel(t *testing.T) (out, in int64) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.raw) != 1 {
		t.Fatalf("%d sockets, want 1", len(o.raw))
	}
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		var info *unix.TCPInfo
		var failure error
		err := o.raw[0].Control(func(fd uintptr) {
			info, failure = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		})
		if err != nil || failure != nil {
			t.Fatal(err, failure)
		}
		if info.Unacked == 0 || time.Since(begun) > 3*time.Minute { // which only a hang takes
			return int64(info.Bytes_acked), int64(info.Bytes_received)
		}
	}
}
