package endtoend

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/keepalive"

	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcwire"
)

// A benchmark is a server whose replies are empty.
type benchmarkServer struct {
	testpb.UnimplementedBenchmarkServiceServer
}

func (benchmarkServer) UnaryCall(context.Context, *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return &testpb.SimpleResponse{}, nil
}

// serveBenchmark starts a server of grpc-go's.
func serveBenchmark(t *testing.T, options ...grpc.ServerOption) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(options...)
	testpb.RegisterBenchmarkServiceServer(s, benchmarkServer{})
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	return listener.Addr().String()
}

// A server that ends its connections by their age costs no call, however many are under way.
func TestNoCallFailsByTheAgeOfAConnection(t *testing.T) {
	t.Parallel()
	const connections = 10
	address := serveBenchmark(t, grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: 20 * time.Millisecond}))
	l := loadUntil(t, address, func(l *loaded) bool { return l.dialled.Load() >= connections })
	t.Logf("%d calls on %d connections, of which %d went out once more", l.calls.Load(), l.dialled.Load(), l.retries)
}

// nginx ends a connection after so many requests: with each of them the client opens one more, and no call fails.
func TestNoCallFailsBehindNginx(t *testing.T) {
	t.Parallel()
	const perConnection, calls = 1000, 5000
	l := loadUntil(t, serveNginx(t, serveBenchmark(t), perConnection), func(l *loaded) bool { return l.calls.Load() >= calls })
	made, dialled := l.calls.Load()+l.retries, l.dialled.Load()
	t.Logf("%d calls on %d connections, of which %d went out once more", l.calls.Load(), dialled, l.retries)
	if least, most := made/perConnection, made/perConnection+1; dialled < least || dialled > most {
		t.Errorf("%d requests of which a connection takes %d had %d connections, want %d or %d",
			made, perConnection, dialled, least, most)
	}
}

// serveNginx puts nginx before a server.
func serveNginx(t *testing.T, address string, perConnection int) (front string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("Debian's nginx has the server that it needs")
	}
	port, err := server.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	front = fmt.Sprintf("127.0.0.1:%d", port)
	folder := t.TempDir()
	config := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, `
daemon off;
pid %[1]s/pid;
error_log stderr warn;
worker_processes 1;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	upstream service { server %[2]s; keepalive 64; }
	server {
		listen %[3]s http2;
		keepalive_requests %[4]d;
		location / { grpc_pass grpc://service; }
	}
}
`, folder, address, front, perConnection), 0o600); err != nil {
		t.Fatal(err)
	}
	nginx := exec.CommandContext(t.Context(), program, "-p", folder, "-c", config, "-e", "stderr")
	nginx.Cancel = func() error { return nginx.Process.Signal(os.Interrupt) } // it ends its processes
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- nginx.Wait() }()
	t.Cleanup(func() { _ = nginx.Process.Signal(os.Interrupt); <-ended })
	dialSoon(t, front, ended).Close()
	return front
}

// loaded is what a load was.
type loaded struct {
	calls, dialled atomic.Int64
	retries        int64
}

// loadUntil makes unary calls by grpc-wire on one connection, many at a time, until there are enough. None may fail.
func loadUntil(t *testing.T, address string, enough func(*loaded) bool) *loaded {
	t.Helper()
	const inFlight = 16
	l := &loaded{}
	conn, err := grpcwire.New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: inFlight,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			l.dialled.Add(1)
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var slots sync.WaitGroup
	for slot := range inFlight {
		caller, err := conn.Caller(stack.Call{Kind: stack.KindUnary}, slot)
		if err != nil {
			t.Fatal(err)
		}
		slots.Go(func() {
			for !enough(l) && !t.Failed() {
				if err := caller.Call(ctx); err != nil {
					t.Error(err)
				}
				l.calls.Add(1)
			}
		})
	}
	slots.Wait()
	l.retries = conn.(stack.Retrier).Retries()
	return l
}
