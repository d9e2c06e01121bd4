package qps

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/suites/tool"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// TestMain lets this test binary be our worker.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	out, err := worker.TakeStdout()
	if err == nil {
		err = worker.Run(context.Background(), os.Stdin, out, []stack.Stack{grpcgo.New()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// official starts grpc-go's worker, and waits until it listens.
func official(t *testing.T) launch.Launcher {
	t.Helper()
	port := freePort(t)
	command := exec.Command(tool.Path(t, "worker"), "--driver_port", port) // it outlives the sessions, which end in Cleanups
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	for {
		select {
		case err := <-ended:
			ended <- err
			t.Fatal(err)
		default:
		}
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
			return qps.New([]qps.Worker{{Stack: "qps", Address: "127.0.0.1:" + port}})
		}
	}
}

// freePort is one that the worker takes: it can't be told to pick one.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

func ours(t *testing.T) launch.Launcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return process.Command([]string{self, "worker"})
}

func start(t *testing.T, launcher launch.Launcher) (*launch.Worker, string) {
	t.Helper()
	w, err := launch.Start(t.Context(), launcher, launch.Order{Stack: "qps"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, w.Hello.GetStacks()[0].GetName()
}

// Each side can be grpc-go's worker or ours, in plaintext and over TLS with gRPC's test keys.
func TestGRPCGosWorkerPairsWithOurs(t *testing.T) {
	keys := credential.GRPCTest()
	clients := map[string]func(*testing.T) launch.Launcher{"ours": ours, "official": official}
	for clientName, client := range clients {
		for serverName, server := range clients {
			for _, kind := range []string{stack.KindUnary, stack.KindPingPong} {
				for _, mode := range []string{stack.SecurityPlaintext, stack.SecurityTLS} {
					t.Run(fmt.Sprintf("%s calls %s %s %s", clientName, serverName, kind, mode), func(t *testing.T) {
						security := &control.Security{Mode: mode}
						secret := &control.Security{Mode: mode}
						if mode == stack.SecurityTLS {
							secret.CertPem, secret.KeyPem = keys.Server.CertPEM, keys.Server.KeyPEM
							security.CaPem, security.ServerName = keys.CAPEM, keys.ServerName
						}
						check(t, client(t), server(t), kind, security, secret)
					})
				}
			}
		}
	}
}

func check(t *testing.T, client, server launch.Launcher, kind string, security, secret *control.Security) {
	t.Helper()
	s, name := start(t, server)
	serving, err := s.Serve(t.Context(), &control.Serve{
		Stack: name, Network: "tcp", Address: "127.0.0.1:0", Payload: "zeros", Security: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	c, name := start(t, client)
	connect := &control.Connect{
		Stack: name, Network: "tcp", Addresses: []string{serving.GetAddress()}, Connections: 2, InFlight: 3, Security: security,
		Call: &control.Call{Kind: kind, RequestBytes: 100, ResponseBytes: 300, Compression: "none", Payload: "zeros",
			DeadlineNs: 60e9},
	}
	if kind == stack.KindPingPong {
		connect.Streams = 3
	}
	if _, err := c.Connect(t.Context(), connect); err != nil {
		t.Fatal(err)
	}
	// A phase goes on until it has counted something, however slow the machine is.
	for range 100 {
		done, err := c.Begin(t.Context(), &control.Begin{
			Phase: control.Measured, DurationNs: 2e8, DrainNs: 60e9, Load: &control.Load{Arrivals: "closed"},
		}, func(*control.Interval) {})
		if err != nil {
			t.Fatal(err)
		}
		if o := done.GetOutcomes(); len(o) == 1 && o[0].GetCode() == "OK" && o[0].GetCalls() == done.GetArrivals() {
			if done.GetPayloadBytesIn() != 300*done.GetArrivals() {
				t.Errorf("%d bytes of %d calls", done.GetPayloadBytesIn(), done.GetArrivals())
			}
			used, err := s.Mark(t.Context())
			if err != nil || used.GetCpuUserNs()+used.GetCpuSystemNs() == 0 {
				t.Errorf("the server used %v, %v", used, err)
			}
			return
		} else if len(o) > 0 {
			t.Fatalf("outcomes %v", o)
		}
	}
	t.Error("there was no call")
}
