package connectgo

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// A link is an http.RoundTripper with one HTTP/2 connection, which is opened anew when it has broken. A request that
// finds as many streams as the server allows waits.
type link struct {
	transport *http.Transport // makes connections; its pool is not used
	scheme    string
	address   string
	current   atomic.Pointer[http.ClientConn]
	opening   chan struct{} // holds one: a lock whose waiters can leave
	closed    bool          // guarded by opening
}

func newLink(config stack.DialConfig) *link {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(config.TLS != nil)
	protocols.SetUnencryptedHTTP2(config.TLS == nil)
	l := &link{
		transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return config.Dial(ctx, config.Network, config.Address)
			},
			TLSClientConfig:    config.TLS.Clone(), // the library adds to it
			Protocols:          protocols,
			HTTP2:              http2Config(config.Options),
			DisableCompression: true, // it is connect's
		},
		scheme:  "http",
		address: config.Address,
		opening: make(chan struct{}, 1),
	}
	if config.TLS != nil {
		l.scheme = "https"
	}
	if config.Network == stack.NetworkUnix {
		l.address = "localhost:80" // for the request's authority; a path is none
	}
	return l
}

// RoundTrip is http.RoundTripper's.
func (l *link) RoundTrip(request *http.Request) (*http.Response, error) {
	conn := l.current.Load()
	if conn == nil || conn.Err() != nil {
		var err error
		if conn, err = l.open(request.Context()); err != nil {
			if request.Body != nil {
				request.Body.Close()
			}
			return nil, err
		}
	}
	response, err := leavably(conn, request)
	if err != nil && conn.Available() == 0 && conn.InFlight() == 0 { // told by the server to go, but not yet closed
		conn.Close()
	}
	return response, err
}

// open returns a connection that is not known to be broken.
func (l *link) open(ctx context.Context) (*http.ClientConn, error) {
	select {
	case l.opening <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.opening }()
	if l.closed {
		return nil, stack.Errorf(stack.Canceled, "the connection was closed")
	}
	if conn := l.current.Load(); conn != nil && conn.Err() == nil {
		return conn, nil
	}
	conn, err := l.transport.NewClientConn(ctx, l.scheme, l.address)
	if err != nil {
		return nil, err
	}
	l.current.Store(conn)
	return conn, nil
}

// Close closes the connection for good. A connection that is being opened is waited for.
func (l *link) Close() error {
	l.opening <- struct{}{}
	defer func() { <-l.opening }()
	l.closed = true
	if conn := l.current.Load(); conn != nil {
		return conn.Close()
	}
	return nil
}
