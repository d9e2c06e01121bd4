package program_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/program"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

type echo struct {
	testpb.UnimplementedBenchmarkServiceServer
}

func (echo) UnaryCall(_ context.Context, r *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return &testpb.SimpleResponse{Payload: r.GetPayload()}, nil
}

// upstream serves echoes until the test ends.
func upstream(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	testpb.RegisterBenchmarkServiceServer(server, echo{})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// proxied starts a proxy before an upstream.
func proxied(t *testing.T, p point.Program, keys *control.Security) worker.Program {
	t.Helper()
	if _, err := exec.LookPath(p.Command[0]); err != nil {
		t.Skipf("%s is not installed: on Debian, make test run as root installs it", p.Command[0])
	}
	started, err := program.Starter{}.Start(t.Context(), &control.Program{
		Command: p.Command, Config: p.Config, ReadyLine: p.ReadyLine, ReadyNs: never.Nanoseconds(), Upstream: upstream(t),
	}, "tcp", "127.0.0.1:0", keys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Close)
	return started
}

// echoes makes calls through a proxy.
func echoes(t *testing.T, at string, trust credentials.TransportCredentials) {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+at, grpc.WithTransportCredentials(trust))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // which only a hang takes
	defer cancel()
	for _, n := range []int{0, 1000, 100_000} {
		reply, err := testpb.NewBenchmarkServiceClient(conn).UnaryCall(ctx, &testpb.SimpleRequest{
			Payload: &testpb.Payload{Body: make([]byte, n)},
		}, grpc.WaitForReady(true))
		if err != nil || len(reply.GetPayload().GetBody()) != n {
			t.Fatalf("%d bytes: %d, %v", n, len(reply.GetPayload().GetBody()), err)
		}
	}
}

// The proxies of the manual work as it says.
func TestTheProxiesOfTheManualPassCallsOn(t *testing.T) {
	for _, p := range manualProxies(t) {
		t.Run(p.Name, func(t *testing.T) {
			started := proxied(t, *p.Program, &control.Security{Mode: "plaintext"})
			echoes(t, started.Address(), insecure.NewCredentials())
			if used, known := started.Usage(); known && used.CPUUser+used.CPUSystem <= 0 {
				t.Errorf("it used %+v", used)
			}
			started.Close()
			<-started.Ended()
			if conn, err := net.Dial("tcp", started.Address()); err == nil {
				conn.Close()
				t.Error("somebody listens after its end")
			}
		})
	}
}

// manualProxies are the programs in the scenario proxies.yaml of the manual.
func manualProxies(t *testing.T) (found []*point.Proxy) {
	t.Helper()
	manual, err := os.ReadFile("../../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(manual), "```yaml\n# proxies.yaml\n")
	text, _, closed := strings.Cut(text, "```")
	if !ok || !closed {
		t.Fatal("the manual has no proxies.yaml")
	}
	s, err := scenario.Parse("proxies.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, asked := range s.Cases[0].Each("proxy") {
		if asked.Proxy != nil && asked.Proxy.Program != nil {
			found = append(found, asked.Proxy)
		}
	}
	if len(found) != 2 {
		t.Fatalf("%d proxies", len(found))
	}
	return found
}

// TLS ends at a proxy, with the keys of the run.
func TestTLSEndsAtAProxy(t *testing.T) {
	keys, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(keys.CAPEM)
	trust := credentials.NewTLS(&tls.Config{RootCAs: pool, ServerName: credential.ServerName, MinVersion: tls.VersionTLS12})
	told := &control.Security{Mode: "tls", CaPem: keys.CAPEM, CertPem: keys.Server.CertPEM, KeyPem: keys.Server.KeyPEM}
	for name, p := range map[string]point.Program{
		"nginx": {Command: []string{"nginx", "-e", "stderr", "-p", "{folder}", "-c", "{config}"}, Config: `
daemon off;
pid {folder}/pid;
events {}
http {
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;
  scgi_temp_path {folder}/e;
  server {
    listen {address} ssl http2;
    ssl_certificate {cert};
    ssl_certificate_key {key};
    location / { grpc_pass grpc://{upstream}; }
  }
}`},
		"haproxy": {Command: []string{"haproxy", "-db", "-f", "{config}"}, Config: `
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend f
  bind {address} ssl crt {cert} alpn h2
  default_backend b
backend b
  server s {upstream} proto h2
`},
	} {
		t.Run(name, func(t *testing.T) {
			echoes(t, proxied(t, p, told).Address(), trust)
		})
	}
}
