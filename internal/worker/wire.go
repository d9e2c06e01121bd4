package worker

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"

	"rpcbench/internal/worker/inproc"
)

// wire counts the sockets of this process and the bytes on them, above TCP: TLS and framing are in. It costs an atomic
// addition a system call.
type wire struct {
	opened, open atomic.Int64
	heard        atomic.Int64 // sockets on which something has come
	out, in      atomic.Int64
	first        timeline
	tcp          sockets
	inproc       *inproc.Network
	framed       framed
}

func newWire() *wire { return &wire{inproc: &inproc.Network{}} }

// anew returns a wire that has counted nothing, in the same network within this process.
func (w *wire) anew() *wire { return &wire{inproc: w.inproc} }

// traced has the first name that is resolved marked, so that its time can be told from TCP's. Addresses have no name.
func (w *wire) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(httptrace.DNSDoneInfo) { w.first.mark(&w.first.resolved) },
	})
}

func (w *wire) count(conn net.Conn) net.Conn {
	w.opened.Add(1)
	w.open.Add(1)
	counted := &countedConn{Conn: conn, wire: w}
	if _, ok := conn.(syscall.Conn); ok {
		w.tcp.add(counted, conn)
		return &rawCountedConn{counted}
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
	heard  atomic.Bool // something has come
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.wire.in.Add(int64(n))
	if n > 0 && !c.heard.Load() {
		c.heard.Store(true)
		c.wire.heard.Add(1)
	}
	return n, err
}

// Write counts before it writes: the answer may be there, and a Mark be asked for, before the writer goes on.
func (c *countedConn) Write(b []byte) (int, error) {
	c.wire.out.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	c.wire.out.Add(int64(n - len(b)))
	return n, err
}

func (c *countedConn) Close() error {
	if !c.closed.Swap(true) {
		c.wire.open.Add(-1)
		c.wire.tcp.end(c)
	}
	return c.Conn.Close()
}

// Rebase has replace put another socket in the place of the one below, before anything uses it. What comes and goes there
// is counted as before.
func (c *countedConn) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	other, err := replace(c.Conn)
	if err == nil {
		c.Conn = other
		c.wire.tcp.move(c, other)
	}
	return err
}

// A rawCountedConn lets a library set the options of the socket below, as it would without us.
type rawCountedConn struct{ *countedConn }

// SyscallConn implements syscall.Conn, of the socket that is below now.
func (c *rawCountedConn) SyscallConn() (syscall.RawConn, error) {
	if below, ok := c.Conn.(syscall.Conn); ok {
		return below.SyscallConn()
	}
	return nil, errors.New("the socket has no descriptor")
}
