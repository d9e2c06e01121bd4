package cli_test

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rpcbench/internal/test/sockettest"
)

// looked runs load and returns what it says; it must end with bad input, and without a results file.
func looked(t *testing.T, args ...string) string {
	t.Helper()
	folder := t.TempDir()
	command := exec.Command("rpcbench", slices.Concat([]string{"load"}, args)...)
	command.Dir = folder
	var said bytes.Buffer
	command.Stderr = &said
	if got := code(command.Run()); got != 2 {
		t.Fatalf("%v: exit code %d, want 2: %s", args, got, said.String())
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	return said.String()
}

// Files with the schema list the methods, as the server would; the server need not run.
func TestAFileOfMethodsIsAnsweredWithThem(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "shop.proto")
	writeText(t, source, `syntax = "proto3"; package shop.v1; message Item { string name = 1; }
service Shop { rpc Get(Item) returns (Item); rpc List(Item) returns (stream Item); }`)
	want := "rpcbench: --call must name a method; name one of " + source + ":\n" +
		"  rpcbench load 127.0.0.1:1 --proto " + source + ` --call shop.v1.Shop/Get --data '{"name":""}'` + "\n" +
		"  rpcbench load 127.0.0.1:1 --proto " + source + ` --call shop.v1.Shop/List --data '{"name":""}'  # download` + "\n"
	if got := looked(t, "127.0.0.1:1", "--proto", source); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	writeText(t, source, `syntax = "proto3"; message Item { string name = 1; }`)
	want = "rpcbench: --call must name a method, and " + source + " has none\n"
	if got := looked(t, "127.0.0.1:1", "--proto", source); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A server that is somebody else's is asked once what it offers, and each offer is a command that works.
func TestAForeignServerIsAskedForItsMethods(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	want := "rpcbench: the server at " + shop.address + " is not rpcbench serve; name one of its methods:\n" +
		"  rpcbench load " + shop.address + ` --rate 10 --call shop.v1.Shop/Get --data '{"name":"","count":0}'` + "\n" +
		"  rpcbench load " + shop.address + ` --rate 10 --call shop.v1.Shop/List --data '{"name":"","count":0}'  # download` + "\n" +
		"  rpcbench load " + shop.address + ` --rate 10 --call shop.v1.Shop/Put --data '{"name":"","count":0}'  # upload` + "\n" +
		"  rpcbench load " + shop.address + ` --rate 10 --call shop.v1.Shop/Chat --data '{"name":"","count":0}'  # stream` + "\n"
	if got := looked(t, shop.address, "--rate", "10"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := len(shop.metadata()); n != 0 {
		t.Errorf("%d of its methods were called", n)
	}
	line := strings.Fields(strings.Split(want, "\n")[1])[2:]
	line[len(line)-1] = strings.Trim(line[len(line)-1], "'")
	trial, _ := loaded(t, 0, append(line, "--calls", "3")...)
	if got := trafficOf(trial); got.ok != 3 {
		t.Errorf("the first command: %+v, want 3 OK", got)
	}
}

// A server that refuses calls without credentials is not one of rpcbench's either.
func TestAForeignServerThatNeedsCredentialsSaysSo(t *testing.T) {
	t.Parallel()
	refuse := grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
		return status.Error(codes.Unauthenticated, "no token")
	})
	bare := grpc.NewServer(refuse)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go bare.Serve(l)
	t.Cleanup(bare.Stop)
	shop := openShop(t, refuse)
	for address, want := range map[string]string{
		l.Addr().String(): "is not rpcbench serve, so --call must name a method; it refuses calls without credentials " +
			"(UNAUTHENTICATED), so --call also needs --token-file, --token-env or --metadata\n",
		shop.address: "is not rpcbench serve, and refuses calls without credentials (UNAUTHENTICATED); give --token-file, " +
			"--token-env or --metadata, and name one of its methods:\n" +
			"  rpcbench load " + shop.address + ` --rate 10 --call shop.v1.Shop/Get --data '{"name":"","count":0}'` + "\n",
	} {
		got := looked(t, address, "--rate", "10")
		if !strings.HasPrefix(got, "rpcbench: the server at "+address+" "+want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What is no server of the benchmark's is one sentence, whatever it is.
func TestAnotherServerIsOneSentence(t *testing.T) {
	t.Parallel()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	bare := grpc.NewServer()
	l := listen()
	go bare.Serve(l)
	t.Cleanup(bare.Stop)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ReadHeaderTimeout = time.Minute
	t.Cleanup(secure.Close)
	dead := sockettest.ClosedPort(t)
	address := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no reflection": {[]string{l.Addr().String()}, "is not rpcbench serve, so --call must name a method; it does not " +
			"offer reflection, so --call also needs --proto or --protoset"},
		"HTTP/1": {[]string{address(plain)}, "speaks only HTTP/1, and gRPC needs HTTP/2; " +
			"to load it over HTTP, give its URL"},
		"TLS":               {[]string{address(secure)}, "speaks TLS; give --security tls"},
		"a dead port":       {[]string{dead}, "connection refused"},
		"a dead port, tcp":  {[]string{dead, "--stack", "tcp"}, "connection refused"},
		"a dead port, JSON": {[]string{dead, "--stack", "http-json-go"}, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := looked(t, c.args...)
			if !strings.Contains(got, c.args[0]) || !strings.HasSuffix(got, c.want+"\n") || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want one sentence that ends with %q", got, c.want)
			}
		})
	}
}
