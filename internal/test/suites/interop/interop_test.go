package interop

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // of gRPC's own server
	"google.golang.org/grpc/interop"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/reflect/protoregistry"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/suites/connectservice"
	"rpcbench/internal/test/suites/wireconn"
	"rpcbench/internal/worker/credential"
)

// A case that fails ends its process. So each has one, to which these say what to do.
const (
	caseVariable    = "SUITE_CASE"
	clientVariable  = "SUITE_CLIENT"
	addressVariable = "SUITE_ADDRESS"
	rootVariable    = "SUITE_ROOT" // of TLS; "" is plaintext
)

func TestMain(m *testing.M) {
	if name := os.Getenv(caseVariable); name != "" {
		conn, err := clients[os.Getenv(clientVariable)](os.Getenv(addressVariable), clientTLS(os.Getenv(rootVariable)))
		if err != nil {
			panic(err)
		}
		cases[name](context.Background(), conn)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var clients = map[string]func(address string, config *tls.Config) (grpc.ClientConnInterface, error){
	"grpc-go": func(address string, config *tls.Config) (grpc.ClientConnInterface, error) {
		security := insecure.NewCredentials()
		if config != nil {
			security = credentials.NewTLS(config)
		}
		return grpc.NewClient(address, grpc.WithTransportCredentials(security))
	},
	"grpc-wire": func(address string, config *tls.Config) (grpc.ClientConnInterface, error) {
		return wireconn.Dial(context.Background(), wireconn.Config{Address: address, TLS: config})
	},
	"grpc-wire by gzip": func(address string, config *tls.Config) (grpc.ClientConnInterface, error) {
		return wireconn.Dial(context.Background(), wireconn.Config{Address: address, TLS: config, Gzip: true})
	},
}

var servers = map[string]func(config stack.ServeConfig) (stack.Server, error){
	"grpc-go": func(config stack.ServeConfig) (stack.Server, error) { return grpcgo.ServeOther(config, registerTest) },
	"connect-go": func(config stack.ServeConfig) (stack.Server, error) {
		return connectgo.ServeOther(config, func(mux *http.ServeMux, options []connect.HandlerOption) {
			registerTest(connectservice.Registrar{Mux: mux, Options: options, Descriptors: protoregistry.GlobalFiles})
		})
	},
}

func registerTest(to grpc.ServiceRegistrar) {
	testpb.RegisterTestServiceServer(to, interop.NewTestServer())
}

func clientTLS(root string) *tls.Config {
	if root == "" {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(root))
	return &tls.Config{RootCAs: pool, ServerName: credential.ServerName}
}

func TestTheWireClientCallsGRPCsOwnServer(t *testing.T) {
	t.Parallel()
	listener := listen(t)
	s := grpc.NewServer()
	registerTest(s)
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	for _, client := range []string{"grpc-wire", "grpc-wire by gzip"} {
		runAll(t, client, listener.Addr().String(), "")
	}
}

func TestEveryClientCallsOurServers(t *testing.T) {
	t.Parallel()
	keys, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(keys.Server.CertPEM, keys.Server.KeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	for name, serve := range servers {
		for security, config := range map[string]*tls.Config{"plaintext": nil, "TLS": {Certificates: []tls.Certificate{pair}}} {
			t.Run(name+"/"+security, func(t *testing.T) {
				t.Parallel()
				listener, root := listen(t), ""
				if config != nil {
					root = string(keys.CAPEM)
				}
				s, err := serve(stack.ServeConfig{Listener: listener, TLS: config})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.Stop(t.Context()) })
				for client := range clients {
					runAll(t, client, listener.Addr().String(), root)
				}
			})
		}
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// runAll runs all cases.
func runAll(t *testing.T, client, address, root string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name := range cases {
		t.Run(client+"/"+name, func(t *testing.T) {
			t.Parallel()
			process := exec.CommandContext(t.Context(), self)
			process.Env = append(os.Environ(),
				caseVariable+"="+name, clientVariable+"="+client, addressVariable+"="+address, rootVariable+"="+root)
			run(t, process)
		})
	}
}

// run runs a process that ends well if its case passes.
func run(t *testing.T, process *exec.Cmd) {
	t.Helper()
	if said, err := process.CombinedOutput(); err != nil {
		t.Errorf("%v: %.500s", err, said)
	}
}
