package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/call/target"
	"rpcbench/internal/run/passthrough"
	"rpcbench/internal/stack"
)

// proxy runs grpc-go's pass-through until a signal ends it.
func (e *env) proxy() *cobra.Command {
	var listen, upstream string
	var pair certFlags
	var quiet bool
	command := &cobra.Command{
		Use:     "proxy",
		Short:   "Pass gRPC calls on to a server until interrupted",
		Example: `  rpcbench proxy --listen 127.0.0.1:9999 --upstream 127.0.0.1:8888`,
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			from, err := proxyAddress("--listen", listen, 0)
			if err != nil {
				return badInput(err)
			}
			to, err := proxyAddress("--upstream", upstream, 1)
			if err != nil {
				return badInput(err)
			}
			config := passthrough.Config{Network: to.Network, Upstream: to.Address}
			if config.TLS, err = certified(pair); err != nil {
				return badInput(err)
			}
			if config.Listener, err = net.Listen(from.Network, from.Address); err != nil {
				return failed(fmt.Errorf("cannot listen on %s: %w", from, plain.Cause(err)))
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			from.Address = config.Listener.Addr().String()
			if !quiet {
				if _, err := fmt.Fprintf(e.out, "Listening on %s\n", from); err != nil {
					return errors.Join(err, config.Listener.Close())
				}
			}
			if err := passthrough.Run(ctx, config); err != nil {
				return failed(err)
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.StringVar(&listen, "listen", "127.0.0.1:0", "`address` to listen on: host:port (port 0 picks a free one) or unix:PATH")
	flags.StringVar(&upstream, "upstream", "", "`address` of the server, in plaintext: host:port or unix:PATH (required)")
	pair.flags(flags, "`file` with a certificate, in PEM, for TLS with clients")
	flags.BoolVar(&quiet, "quiet", false, "do not print the address")
	return command
}

// proxyAddress reads an address of sockets, which a WebSocket's is not.
func proxyAddress(flag, text string, minPort uint64) (target.Target, error) {
	if text == "" {
		return target.Target{}, fmt.Errorf("%s is required: the address of a server, such as 127.0.0.1:8888", flag)
	}
	at, err := target.ParseAddress(text, minPort)
	if err != nil {
		return at, fmt.Errorf("%s: %w", flag, err)
	}
	if at.Network != stack.SocketNetwork(at.Network) {
		return at, fmt.Errorf("%s: the proxy has TCP and Unix sockets, and no WebSockets such as %s", flag, at)
	}
	return at, nil
}

// certified reads a certificate and its key; nil where neither is given.
func certified(files certFlags) (*tls.Config, error) {
	if err := files.check(); err != nil || files.cert == "" {
		return nil, err
	}
	_, pair, err := files.read()
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}
