package cli_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"rpcbench/internal/results/result"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/credential"
)

// refusal runs load, which must call it bad input in one line, and leave no file behind.
func refusal(t *testing.T, args ...string) string {
	t.Helper()
	folder := t.TempDir()
	command := exec.Command("rpcbench", append([]string{"load"}, args...)...)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if got := code(err); got != 2 {
		t.Errorf("%v: exit code %d, want 2: %s", args, got, said)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%v: left %v", args, left)
	}
	line, more, _ := strings.Cut(string(said), "\n")
	if more != "" {
		t.Errorf("%v: said more than a line: %s", args, said)
	}
	return line
}

func TestATargetThatCannotBeAskedIsOneSentence(t *testing.T) {
	t.Parallel()
	keys, certificate := serverKeys(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	writeText(t, ca, string(keys.CAPEM))
	plain, locked := openShop(t), openTLSShop(t, certificate)
	http1 := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(http1.Close)
	source := filepath.Join(t.TempDir(), "shop.proto")
	writeText(t, source, `syntax = "proto3"; package shop.v1; message Item {} service Shop { rpc Get(Item) returns (Item); }`)
	for name, c := range map[string]struct {
		target string
		args   []string
		want   []string
	}{
		"refuses, with a schema": {
			sockettest.ClosedPort(t), []string{"--proto", source}, []string{"cannot reach the server at "},
		},
		"refuses": {sockettest.ClosedPort(t), nil, []string{"cannot reach the server at "}},
		"resets": {
			resetting(t), nil, []string{"closes connections at once: connection reset by peer"},
		},
		"HTTP/1": {
			http1.Listener.Addr().String(), nil, []string{"speaks only HTTP/1, and gRPC needs HTTP/2"},
		},
		"TLS": {
			locked.address, nil, []string{"speaks TLS; give --security tls"},
		},
		"no TLS": {
			plain.address, []string{"--security", "tls"}, []string{"first record does not look like a TLS handshake"},
		},
		"unknown CA": {
			locked.address, []string{"--security", "tls"}, []string{"is signed by an unknown authority; give its certificate by --cacert"},
		},
		"wrong name": {
			locked.address, []string{"--cacert", ca, "--server-name", "shop.example"},
			[]string{"rpcbench: the certificate of the server at " + locked.address + " is for ", ", not for shop.example; give one " +
				"of these by --server-name"},
		},
		"unknown method": {
			plain.address, []string{"--call", "shop.v1.Shop/Gte"}, []string{`has no method "Gte"; did you mean "Get"?`},
		},
		"unknown service": {
			plain.address, []string{"--call", "shop.v1.Shpo/Get"}, []string{`no service "shop.v1.Shpo"`, `did you mean "shop.v1.Shop"?`},
		},
		"unknown field": {
			plain.address, []string{"-d", `{"nam": "x"}`}, []string{"--data", `"nam"`, `did you mean "name"?`},
		},
		"wrong type": {plain.address, []string{"-d", `{"count": "many"}`}, []string{"--data", "count"}},
		"reserved":   {plain.address, []string{"-H", "te: x"}, []string{"te is set by the protocol"}},
		"kind": {
			plain.address, []string{"--kind", "stream"}, []string{"--kind stream: kind: shop.v1.Shop/Get is unary, not stream"},
		},
		"stack": {
			plain.address, []string{"--stack", "connect-go"}, []string{"connect-go can call only its own service"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{c.target}, c.args...)
			if !slices.Contains(args, "--call") {
				args = append(args, "--call", "shop.v1.Shop/Get")
			}
			said := refusal(t, args...)
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("%q does not say %q", said, want)
				}
			}
		})
	}
}

// What a schema of files says of a server may be wrong.
func TestAMethodThatTheServerHasNotFailsItsTrial(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "sloop.proto")
	writeText(t, source, `syntax = "proto3"; package shop.v1; message Item {} service Sloop { rpc Get(Item) returns (Item); }`)
	s := openShop(t)
	for _, stack := range []string{"grpc-go", "grpc-wire"} {
		trial, said := loaded(t, 1, s.address, "--stack", stack, "--proto", source, "--call", "shop.v1.Sloop/Get", "--calls", "5")
		if trial.Status != result.StatusFailed || !strings.Contains(trial.Failure, "every call failed: UNIMPLEMENTED") {
			t.Errorf("%s: %s: %q", stack, trial.Status, said)
		}
	}
}

func TestTLSIsByFilesAndNames(t *testing.T) {
	t.Parallel()
	keys, certificate := serverKeys(t)
	folder := t.TempDir()
	ca, cert, key := filepath.Join(folder, "ca.pem"), filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writeText(t, ca, string(keys.CAPEM))
	writeText(t, cert, string(keys.Client.CertPEM))
	writeText(t, key, string(keys.Client.KeyPEM))
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(keys.CAPEM)
	one := openTLSShop(t, certificate)
	both := openShop(t, grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: authorities,
	})))
	for _, c := range []struct {
		args       []string
		security   string
		unverified bool
	}{
		{[]string{one.address, "--cacert", ca, "--server-name", credential.ServerName}, "tls", false},
		{[]string{one.address, "--insecure-skip-verify"}, "tls", true},
		{[]string{one.address, "--skipTLS"}, "tls", true},
		{[]string{both.address, "--cacert", ca, "--cname", credential.ServerName, "--cert", cert, "--key", key}, "mtls", false},
		{[]string{both.address, "--insecure-skip-verify", "--cert", cert, "--key", key}, "mtls", true},
	} {
		for _, stack := range []string{"grpc-go", "grpc-wire"} {
			trial, _ := loaded(t, 0, slices.Concat(c.args, []string{"--stack", stack, "--call", "shop.v1.Shop/Get", "--calls", "3"})...)
			if trial.Spec.Security != c.security || trial.Spec.Unverified != c.unverified {
				t.Errorf("%s %v: the results say %s, unverified %v", stack, c.args, trial.Spec.Security, trial.Spec.Unverified)
			}
		}
	}
	for _, from := range one.metadata() {
		if got := from[":authority"]; !slices.Equal(got, []string{one.address}) {
			t.Errorf("a call came for %v, want the target", got)
		}
	}
}

// grpc-java's server has gRPC's own test keys, which --testca of its client trusts.
func TestTheCAOfGRPCsTestsIsKnown(t *testing.T) {
	t.Parallel()
	keys := credential.GRPCTest()
	certificate, err := tls.X509KeyPair(keys.Server.CertPEM, keys.Server.KeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	shop := openTLSShop(t, certificate)
	call := []string{"--call", "shop.v1.Shop/Get", "--calls", "3"}
	for _, args := range [][]string{{"--tls", "--testca"}, {"--testca=true"}, {"--cacert", "grpc-test"}} {
		trial, _ := loaded(t, 0, slices.Concat([]string{shop.address}, args, call)...)
		if trial.Spec.Security != "tls" || trial.Spec.Unverified {
			t.Errorf("%v: %s, unverified %v", args, trial.Spec.Security, trial.Spec.Unverified)
		}
	}
	said := refusal(t, slices.Concat([]string{shop.address, "--tls"}, call)...)
	if !strings.Contains(said, ", not for 127.0.0.1; give ") {
		t.Errorf("without it: %q", said)
	}
}

// A key that others can read is refused where a file of keys is named, too.
func TestAClientsKeyIsItsOwn(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a mode says nothing of who may read")
	}
	keys, _ := serverKeys(t)
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writeText(t, cert, string(keys.Client.CertPEM))
	writeText(t, key, string(keys.Client.KeyPEM))
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	const want = "key.pem is a private key that other users can access (mode 0640): chmod 600 "
	said := refusal(t, sockettest.ClosedPort(t), "--cert", cert, "--key", key, "--insecure-skip-verify", "--call", "a.B/C")
	if !strings.Contains(said, want) {
		t.Errorf("%q does not say %q", said, want)
	}
}

func serverKeys(t *testing.T) (credential.Set, tls.Certificate) {
	t.Helper()
	keys, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := tls.X509KeyPair(keys.Server.CertPEM, keys.Server.KeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	return keys, certificate
}

// resetting is a server that resets every connection after the first bytes.
func resetting(t *testing.T) string {
	t.Helper()
	return sockettest.Serve(t, func(conn net.Conn) {
		_, _ = io.ReadFull(conn, make([]byte, 1))
		_ = conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	})
}
