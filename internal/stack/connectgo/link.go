package connectgo

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// sendsMost is how often a call is sent at most, as by net/http's pool.
const sendsMost = 7

// A link is an http.RoundTripper with one HTTP/2 connection, which is opened anew when it has broken or the server has retired
// it. Calls that the server has taken are answered on the retired connection. A request that finds as many streams as the server
// allows waits until one of them ends, also where the server retires the connection meanwhile: net/http tells it no sooner.
type link struct {
	transport *http.Transport // makes connections; its pool is not used
	scheme    string
	address   string
	current   atomic.Pointer[http.ClientConn]
	retries   atomic.Int64       // requests sent once more
	opening   chan struct{}      // holds one: a lock whose waiters can leave
	retired   []*http.ClientConn // guarded by opening: some still have requests
	closed    bool               // guarded by opening
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
	return leavably(l.send, request)
}

// send makes a request, on the next connection if one doesn't take it.
func (l *link) send(request *http.Request) (*http.Response, error) {
	var spent *http.ClientConn
	for sends := 1; ; sends++ {
		conn, err := l.open(request.Context(), spent)
		if err != nil {
			if request.Body != nil {
				request.Body.Close()
			}
			return nil, err
		}
		response, err := conn.RoundTrip(request)
		if err == nil || sends == sendsMost {
			return response, err
		}
		again := l.again(request, err)
		if again == nil {
			return nil, err
		}
		request, spent = again, conn
	}
}

// again returns the request for the next connection, or nil if the server may have taken it or its body is gone.
func (l *link) again(request *http.Request, err error) *http.Request {
	refused := err.Error() == refusedText
	if !refused && !slices.Contains(unsent, err.Error()) {
		return nil
	}
	again := request.WithContext(request.Context())
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil
		}
		again.Body = body
	}
	if refused {
		l.retries.Add(1)
	}
	return again
}

// open returns a connection that is not known to be broken, and is not the spent one.
func (l *link) open(ctx context.Context, spent *http.ClientConn) (*http.ClientConn, error) {
	isGood := func(conn *http.ClientConn) bool { return conn != nil && conn != spent && conn.Err() == nil }
	if conn := l.current.Load(); isGood(conn) {
		return conn, nil
	}
	select {
	case l.opening <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.opening }()
	if l.closed {
		return nil, stack.Errorf(stack.Canceled, "the connection was closed")
	}
	old := l.current.Load()
	if isGood(old) {
		return old, nil
	}
	conn, err := l.transport.NewClientConn(ctx, l.scheme, l.address)
	if err != nil {
		return nil, err
	}
	l.current.Store(conn)
	l.retire(old)
	return conn, nil
}

// retire has a connection that takes no more requests end after its last one. net/http ends it where that is a request that
// ends, but not where nothing is left on it, or only a PING after a request that was cancelled.
func (l *link) retire(old *http.ClientConn) {
	l.retired = slices.DeleteFunc(l.retired, func(conn *http.ClientConn) bool { return conn.Err() != nil })
	if old == nil || old.Err() != nil {
		return
	}
	l.retired = append(l.retired, old)
	old.SetStateHook(closeIdle)
	closeIdle(old)
}

func closeIdle(conn *http.ClientConn) {
	if conn.Err() == nil && conn.InFlight() == 0 {
		conn.Close()
	}
}

// Close closes the connection for good. A connection that is being opened is waited for.
func (l *link) Close() error {
	l.opening <- struct{}{}
	defer func() { <-l.opening }()
	l.closed = true
	for _, conn := range l.retired {
		conn.Close()
	}
	if conn := l.current.Load(); conn != nil {
		return conn.Close()
	}
	return nil
}
