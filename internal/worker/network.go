package worker

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/admission"
	"rpcbench/internal/worker/websocket"
)

// dial opens a connection over counted sockets; it is stack.DialConfig.Dial.
func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.first.mark(&w.first.dialled)
	conn, err := w.dialled(ctx, network, address)
	if err == nil {
		w.first.mark(&w.first.connected)
	}
	return conn, err
}

func (w *wire) dialled(ctx context.Context, network, address string) (net.Conn, error) {
	if network == stack.NetworkInproc {
		conn, err := w.inproc.Dial(ctx, address)
		if err != nil {
			return nil, err
		}
		return w.count(conn), nil // both of its ends are one socket: the client's
	}
	socket, err := w.socket(ctx, stack.SocketNetwork(network), address)
	if err != nil || network != stack.NetworkWS {
		return socket, err
	}
	conn, err := websocket.Client(ctx, socket, address)
	if err != nil {
		return nil, err
	}
	return w.framed.carry(conn), nil
}

// socket opens a counted socket. Of a name with several addresses it takes one that answers.
func (w *wire) socket(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialPatience} // from which each address gets its part
	conn, err := dialer.DialContext(w.traced(ctx), network, address)
	if err != nil {
		return nil, err
	}
	return w.count(conn), nil
}

// listen returns a server's listener, over counted sockets that its limits admit.
func (w *wire) listen(network, address string, limits admission.Limits) (net.Listener, error) {
	if network == stack.NetworkInproc {
		listener, err := w.inproc.Listen(address)
		if err != nil {
			return nil, err
		}
		return admission.Listen(listener, limits), nil
	}
	listener, err := net.Listen(stack.SocketNetwork(network), address)
	if err != nil {
		return nil, err
	}
	sockets := countedListener{admission.Listen(listener, limits), w}
	switch network {
	case stack.NetworkWS:
		return framedListener{websocket.Listen(sockets, false), &w.framed}, nil
	case stack.NetworkWSH:
		return websocket.Listen(sockets, true), nil
	default:
		return sockets, nil
	}
}

// framed counts the bytes that stacks put into frames and take out of them, on connections with their own framing below that of
// the stack. The sockets count the bytes with their frames.
type framed struct {
	used    atomic.Bool // there was such a connection
	out, in atomic.Int64
}

func (f *framed) carry(conn net.Conn) net.Conn {
	f.used.Store(true)
	return &framedConn{conn, f}
}

// A framedListener accepts connections that have frames.
type framedListener struct {
	net.Listener
	framed *framed
}

// Accept implements net.Listener.
func (l framedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.framed.carry(conn), nil
}

type framedConn struct {
	net.Conn
	framed *framed
}

// Read implements net.Conn.
func (c *framedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.framed.in.Add(int64(n))
	return n, err
}

// Write implements net.Conn. It counts before it writes, as countedConn does.
func (c *framedConn) Write(b []byte) (int, error) {
	c.framed.out.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	c.framed.out.Add(int64(n - len(b)))
	return n, err
}

// Rebase is countedConn's, of the socket below the frames.
func (c *framedConn) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	if below, ok := c.Conn.(interface {
		Rebase(replace func(net.Conn) (net.Conn, error)) error
	}); ok {
		return below.Rebase(replace)
	}
	return errors.ErrUnsupported
}
