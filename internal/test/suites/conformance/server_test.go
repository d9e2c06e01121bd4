package conformance

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoregistry"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/suites/connectservice"
)

// servers start servers of the suite's service as our stacks set them up.
var servers = map[string]func(request *serverRequest) (net.Addr, error){
	"grpc-go": inGo(func(config stack.ServeConfig) (stack.Server, error) {
		return grpcgo.ServeOther(config, func(to grpc.ServiceRegistrar) { to.RegisterService(service(), nil) })
	}),
	"connect-go": inGo(func(config stack.ServeConfig) (stack.Server, error) {
		return connectgo.ServeOther(config, func(mux *http.ServeMux, options []connect.HandlerOption) {
			to := connectservice.Registrar{Mux: mux, Options: options, Descriptors: protoregistry.GlobalFiles}
			to.RegisterService(service(), nil)
		})
	}),
	"grpc-java-netty": serveJava,
}

// inGo serves in this process.
func inGo(serve func(stack.ServeConfig) (stack.Server, error)) func(*serverRequest) (net.Addr, error) {
	return func(request *serverRequest) (net.Addr, error) {
		config, err := serverTLS(request)
		if err != nil {
			return nil, err
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		_, err = serve(stack.ServeConfig{Listener: listener, TLS: config})
		return listener.Addr(), err
	}
}

// runServer starts the server that the runner asks for, which ends this process. Where the runner itself is killed, nobody
// tells a process whose input ended long ago: so it looks whether its parent is the same.
func runServer(stackName string, in io.Reader, out io.Writer) error {
	request := &serverRequest{}
	if err := readMessage(in, "ServerCompatRequest", request); err != nil {
		return err
	}
	serving, err := servers[stackName](request)
	if err != nil {
		return err
	}
	address := serving.(*net.TCPAddr)
	response := serverResponse{Host: address.IP.String(), Port: address.Port}
	if request.UseTLS {
		response.PemCert = request.ServerCreds.Cert
	}
	if err := writeMessage(out, "ServerCompatResponse", response); err != nil {
		return err
	}
	for runner := os.Getppid(); os.Getppid() == runner; {
		time.Sleep(time.Second)
	}
	return errors.New("the runner is gone")
}

func serverTLS(request *serverRequest) (*tls.Config, error) {
	if !request.UseTLS {
		return nil, nil
	}
	pair, err := tls.X509KeyPair(request.ServerCreds.Cert, request.ServerCreds.Key)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	if len(request.ClientTLSCert) > 0 {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		if !config.ClientCAs.AppendCertsFromPEM(request.ClientTLSCert) {
			return nil, errors.New("the client's certificate is none")
		}
	}
	return config, nil
}
