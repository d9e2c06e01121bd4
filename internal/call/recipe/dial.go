package recipe

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"rpcbench/internal/stack/grpctls"
	"rpcbench/internal/worker/websocket"
)

// Dial returns the connection that Resolve uses for reflection. It connects on first use and never through a proxy. A nil config
// means plaintext. The authority is that of every call.
func Dial(network, address, authority string, config *tls.Config) (*grpc.ClientConn, error) {
	trust := insecure.NewCredentials()
	if config != nil {
		trust = grpctls.New(config)
	}
	conn, err := grpc.NewClient("passthrough:///"+address,
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return websocket.Dial(ctx, network, address)
		}),
		grpc.WithTransportCredentials(trust), grpc.WithAuthority(authority), grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), grpc.WithDisableRetry(),
	)
	if err != nil {
		return nil, fmt.Errorf("no client for %s: %w", address, err)
	}
	return conn, nil
}
