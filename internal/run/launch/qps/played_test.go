package qps_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/worker/control"
)

// A played worker implements grpc.testing.WorkerService without measuring anything: every Mark returns the script's values.
type played struct {
	testpb.UnimplementedWorkerServiceServer

	old     bool                // it has no CoreCount
	port    int32               // of its server; 4711 if 0
	stats   *testpb.ClientStats // of every Mark
	served  *testpb.ServerStats // of every Mark, if not nil
	refuses error               // a setup
	leaves  error               // answers the end of a role; nil is a good end
	slow    chan struct{}       // a client's setup is answered when it is closed; nil at once
	dies    chan struct{}       // ends the roles by force

	mu     sync.Mutex
	client *testpb.ClientConfig
	server *testpb.ServerConfig
	marks  []bool // whether they reset
	ended  int    // roles that were ended well
}

// start has a worker listen.
func (p *played) start(t *testing.T) (address string) {
	t.Helper()
	p.dies = make(chan struct{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	testpb.RegisterWorkerServiceServer(server, p)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func (p *played) CoreCount(ctx context.Context, in *testpb.CoreRequest) (*testpb.CoreResponse, error) {
	if p.old {
		return p.UnimplementedWorkerServiceServer.CoreCount(ctx, in)
	}
	return &testpb.CoreResponse{Cores: 7}, nil
}

func (p *played) RunClient(stream testpb.WorkerService_RunClientServer) error {
	return p.play(func() error {
		in, err := stream.Recv()
		if err != nil {
			return err
		}
		if p.slow != nil {
			<-p.slow
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if setup := in.GetSetup(); setup != nil {
			if p.client = setup; p.refuses != nil {
				return p.refuses
			}
			return stream.Send(&testpb.ClientStatus{})
		}
		p.marks = append(p.marks, in.GetMark().GetReset_())
		return stream.Send(&testpb.ClientStatus{Stats: p.stats})
	})
}

func (p *played) RunServer(stream testpb.WorkerService_RunServerServer) error {
	return p.play(func() error {
		in, err := stream.Recv()
		if err != nil {
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if setup := in.GetSetup(); setup != nil {
			if p.server = setup; p.refuses != nil {
				return p.refuses
			}
			return stream.Send(&testpb.ServerStatus{Port: cmp.Or(p.port, 4711), Cores: 7})
		}
		return stream.Send(&testpb.ServerStatus{
			Stats: cmp.Or(p.served, &testpb.ServerStats{TimeElapsed: 2, TimeUser: 0.5, TimeSystem: 0.25}),
		})
	})
}

// play takes turns until the driver ends them, or the worker dies.
func (p *played) play(turn func() error) error {
	over := make(chan error, 1)
	go func() {
		for {
			if err := turn(); err != nil {
				over <- err
				return
			}
		}
	}()
	select {
	case err := <-over:
		if errors.Is(err, io.EOF) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.ended++
			return p.leaves
		}
		return err
	case <-p.dies:
		return status.Error(codes.Unavailable, "shot")
	}
}

// buckets is a histogram of gRPC's, with a sample at each time.
func buckets(samples ...float64) *testpb.HistogramData {
	data := &testpb.HistogramData{Bucket: make([]uint32, 3000), MinSeen: math.Inf(1), Count: float64(len(samples))}
	for _, ns := range samples {
		data.Bucket[int(math.Log(ns)/math.Log(1.01))]++
		data.MinSeen, data.MaxSeen = min(data.MinSeen, ns), max(data.MaxSeen, ns)
	}
	return data
}

// launched starts a session with a worker at an address.
func launched(t *testing.T, address string) *launch.Worker {
	t.Helper()
	w, err := launch.Start(t.Context(), qps.New([]qps.Worker{{Stack: "qps", Address: address}}), launch.Order{Stack: "qps"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Abort() })
	return w
}

// connect returns a Connect that a worker can carry out.
func connect() *control.Connect {
	return &control.Connect{
		Stack: "qps", Network: "tcp", Addresses: []string{"127.0.0.1:4711"}, Connections: 2, InFlight: 3,
		Security: &control.Security{Mode: "plaintext"},
		Call: &control.Call{Kind: "unary", RequestBytes: 10, ResponseBytes: 20, Compression: "none", Payload: "zeros",
			DeadlineNs: 1e9},
	}
}

func begin(phase control.Phase) *control.Begin {
	return &control.Begin{Phase: phase, DurationNs: 1e6, Load: &control.Load{Arrivals: "closed"}}
}

// nothing is the address of a server that serves nothing.
func nothing(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}
