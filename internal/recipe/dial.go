package recipe

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// Dial makes the connection on which Resolve asks. It connects when it is asked first, and goes through no proxy. A nil
// config is plaintext; the authority is that of every call.
func Dial(network, address, authority string, config *tls.Config) (*grpc.ClientConn, error) {
	trust := insecure.NewCredentials()
	if config != nil {
		trust = unnamed{credentials.NewTLS(config), config.ServerName}
	}
	conn, err := grpc.NewClient("passthrough:///"+address,
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		}),
		grpc.WithTransportCredentials(trust), grpc.WithAuthority(authority), grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), grpc.WithDisableRetry(),
	)
	if err != nil {
		return nil, fmt.Errorf("no client for %s: %w", address, err)
	}
	return conn, nil
}

// unnamed credentials do not say whom they expect, and expect it whatever the authority: the library takes both for one.
type unnamed struct {
	credentials.TransportCredentials

	server string // "" is the authority
}

// ClientHandshake is credentials.TransportCredentials's.
func (u unnamed) ClientHandshake(
	ctx context.Context, authority string, conn net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	return u.TransportCredentials.ClientHandshake(ctx, cmp.Or(u.server, authority), conn)
}

// Info is credentials.TransportCredentials's.
func (u unnamed) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: u.TransportCredentials.Info().SecurityProtocol}
}

// Clone is credentials.TransportCredentials's.
func (u unnamed) Clone() credentials.TransportCredentials {
	return unnamed{u.TransportCredentials.Clone(), u.server}
}
