package qps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// A side is who can be one of a pair, and what it can beside calls and ping-pong.
type side struct {
	name          string
	launcher      func(*testing.T) launch.Launcher
	calls, serves []string // kinds of streams
}

var (
	streams = []string{stack.KindUpload, stack.KindDownload, stack.KindBothWays}
	sides   = []side{
		{"ours", ours, streams, streams},
		{"our qps-worker", oursDriven, streams[:2], streams},
		{"grpc-go's", grpcGos, nil, nil},
		{"grpc-java's", grpcJavas, nil, streams},
	}
)

// Each side can be one of ours, our benchmark worker, grpc-go's and grpc-java's, in plaintext and over TLS with gRPC's test keys.
func TestEveryWorkerCallsEveryOther(t *testing.T) {
	for _, server := range sides {
		t.Run("server "+server.name, func(t *testing.T) {
			serving := server.launcher(t)
			for _, client := range sides {
				t.Run("client "+client.name, func(t *testing.T) {
					calling := client.launcher(t)
					for _, kind := range []string{stack.KindUnary, stack.KindPingPong} {
						pair(t, calling, serving, kind, stack.SecurityPlaintext)
					}
					pair(t, calling, serving, stack.KindUnary, stack.SecurityTLS)
					for _, kind := range client.calls {
						if slices.Contains(server.serves, kind) {
							pair(t, calling, serving, kind, stack.SecurityPlaintext)
						}
					}
				})
			}
		})
	}
}

// Their clients have no streams in one direction, which is said.
func TestAStreamThatAWorkerDoesNotHaveIsNamed(t *testing.T) {
	for name, launcher := range map[string]func(*testing.T) launch.Launcher{"grpc-go": grpcGos, "grpc-java": grpcJavas} {
		t.Run(name, func(t *testing.T) {
			c, stackName := start(t, launcher(t))
			if _, err := c.Connect(t.Context(), connectTo("127.0.0.1:1", stackName, stack.KindUpload)); err != nil {
				t.Fatal(err)
			}
			_, err := c.Begin(t.Context(), &control.Begin{
				Phase: control.Measured, DurationNs: 2e8, Load: &control.Load{Arrivals: "closed"},
			}, func(*control.Interval) {})
			if err == nil || !strings.Contains(err.Error(), "some have no client of STREAMING_FROM_CLIENT") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func pair(t *testing.T, client, server launch.Launcher, kind, mode string) {
	t.Helper()
	t.Run(kind+" "+mode, func(t *testing.T) {
		security, secret := &control.Security{Mode: mode}, &control.Security{Mode: mode}
		if mode == stack.SecurityTLS {
			keys := credential.GRPCTest()
			secret.CertPem, secret.KeyPem = keys.Server.CertPEM, keys.Server.KeyPEM
			security.CaPem, security.ServerName = keys.CAPEM, keys.ServerName
		}
		check(t, client, server, kind, security, secret)
	})
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

const (
	requestBytes = 100
	perStream    = 20
)

// responseBytes is what is asked for; both ways it is what grpc-java's server always sends.
func responseBytes(kind string) int64 {
	if kind == stack.KindBothWays {
		return 100
	}
	return 300
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
	connect := connectTo(serving.GetAddress(), name, kind)
	connect.Security = security
	if _, err := c.Connect(t.Context(), connect); err != nil {
		t.Fatal(err)
	}
	done := counted(t, c)
	if o := done.GetOutcomes(); len(o) != 1 || o[0].GetCode() != "OK" || o[0].GetCalls() != done.GetArrivals() {
		t.Fatalf("outcomes %v of %d calls", o, done.GetArrivals())
	}
	if err := checkMessages(done, kind); err != nil {
		t.Error(err)
	}
	wantUsed(t, s, c)
}

// wantUsed has a server's CPU time grow with calls. A few of them may take less than it is measured by: 10 ms in a JVM.
func wantUsed(t *testing.T, s, c *launch.Worker) {
	t.Helper()
	for range 100 {
		used, err := s.Mark(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if used.GetCpuUserNs()+used.GetCpuSystemNs() > 0 {
			return
		}
		counted(t, c)
	}
	t.Error("the server used no CPU time")
}

// connectTo makes calls of a kind, in plaintext.
func connectTo(address, stackName, kind string) *control.Connect {
	connect := &control.Connect{
		Stack: stackName, Network: "tcp", Addresses: []string{address}, Connections: 2, InFlight: 3,
		Security: &control.Security{Mode: stack.SecurityPlaintext},
		Call: &control.Call{Kind: kind, RequestBytes: requestBytes, ResponseBytes: uint32(responseBytes(kind)), Compression: "none",
			Payload: "zeros", DeadlineNs: 60e9, LengthsOnly: true},
	}
	if kind == stack.KindPingPong {
		connect.Streams = 3
	}
	if stack.HasMessages(kind) {
		connect.Call.Messages = perStream
	}
	return connect
}

// counted measures until something is counted, however slow the machine is.
func counted(t *testing.T, c *launch.Worker) *control.Done {
	t.Helper()
	for range 100 {
		done, err := c.Begin(t.Context(), &control.Begin{
			Phase: control.Measured, DurationNs: 2e8, DrainNs: 60e9, Load: &control.Load{Arrivals: "closed"},
		}, func(*control.Interval) {})
		if err != nil {
			t.Fatal(err)
		}
		if len(done.GetOutcomes()) > 0 {
			return done
		}
	}
	t.Fatal("there was no call")
	return nil
}

// checkMessages wants numbers of messages that fit that of the calls. Workers of others count messages, of a stream that has not
// ended too.
func checkMessages(done *control.Done, kind string) error {
	out, in := stack.MessagesOf(kind, perStream)
	calls := done.GetArrivals()
	for _, count := range []struct {
		name                   string
		each, got, bytes, size int64
	}{
		{"out", out, done.GetMessagesOut(), done.GetPayloadBytesOut(), requestBytes},
		{"in", in, done.GetMessagesIn(), done.GetPayloadBytesIn(), responseBytes(kind)},
	} {
		least, most := calls*count.each, calls*count.each
		if count.each > 1 {
			least, most = min(least, (calls-1)*count.each+1), most+count.each-1
		}
		if count.got < least || count.got > most || count.bytes != count.got*count.size {
			return fmt.Errorf("%s: %d messages of %d bytes together, by %d calls of %d messages", count.name, count.got, count.bytes,
				calls, count.each)
		}
	}
	return nil
}
