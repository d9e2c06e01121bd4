package worker

import (
	"context"
	"net"
	"sync/atomic"
	"syscall"
)

// wire counts the sockets of this process and the bytes on them, above TCP: TLS and framing are in. It costs an atomic
// addition a system call.
type wire struct {
	opened, open atomic.Int64
	out, in      atomic.Int64
}

// dial opens a counted socket; it is stack.DialConfig.Dial.
func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return w.count(conn), nil
}

func (w *wire) count(conn net.Conn) net.Conn {
	w.opened.Add(1)
	w.open.Add(1)
	counted := &countedConn{Conn: conn, wire: w}
	if raw, ok := conn.(syscall.Conn); ok {
		return &rawCountedConn{countedConn: counted, raw: raw}
	}
	return counted
}

// A countedListener accepts counted sockets.
type countedListener struct {
	net.Listener
	wire *wire
}

// Accept implements net.Listener.
func (l countedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wire.count(conn), nil
}

type countedConn struct {
	net.Conn
	wire   *wire
	closed atomic.Bool
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.wire.in.Add(int64(n))
	return n, err
}

func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.wire.out.Add(int64(n))
	return n, err
}

func (c *countedConn) Close() error {
	if !c.closed.Swap(true) {
		c.wire.open.Add(-1)
	}
	return c.Conn.Close()
}

// A rawCountedConn lets a library set the options of the socket below, as it would without us.
type rawCountedConn struct {
	*countedConn
	raw syscall.Conn
}

// SyscallConn implements syscall.Conn.
func (c *rawCountedConn) SyscallConn() (syscall.RawConn, error) { return c.raw.SyscallConn() }
