// Package grpctls makes grpc-go's TLS credentials for a server whose name is not the authority of its calls, which the
// library takes for one.
package grpctls

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"

	"google.golang.org/grpc/credentials"
)

// New returns credentials for the server that config names, whatever the authority; if it names none, for the authority.
func New(config *tls.Config) credentials.TransportCredentials {
	return unnamed{credentials.NewTLS(config), config.ServerName}
}

// unnamed credentials do not reveal the expected name, and expect it whatever the authority. The library does not separate the
// two.
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
