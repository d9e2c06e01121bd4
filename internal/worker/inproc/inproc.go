// Package inproc is a network within a process: dialing an address connects to its listener in the same process. There are no
// sockets: what is written is copied into a buffer, and from there to the reader.
package inproc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc/test/bufconn"

	"rpcbench/internal/stack"
)

// bufferBytes is the buffer of a connection in each direction: as large as in grpc-go's own benchmark.
const bufferBytes = 256 << 10

// A Network is separate from all others. The zero Network is empty. Its methods may be called concurrently.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*bufconn.Listener
}

// Listen listens at an address, which is any word; libraries expect it to look like host:port. The address is in use as long as
// the Network exists.
func (n *Network) Listen(at string) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case at == "":
		return nil, errors.New("the address is empty")
	case n.listeners[at] != nil:
		return nil, errors.New("the address is in use")
	case n.listeners == nil:
		n.listeners = map[string]*bufconn.Listener{}
	}
	made := bufconn.Listen(bufferBytes)
	n.listeners[at] = made
	return listener{made, address(at)}, nil
}

// Dial opens a connection to who listens at an address, and returns once it is accepted.
func (n *Network) Dial(ctx context.Context, at string) (net.Conn, error) {
	n.mu.Lock()
	found := n.listeners[at]
	n.mu.Unlock()
	if found == nil {
		return nil, fmt.Errorf("nothing in this process listens at %q", at)
	}
	made, err := found.DialContext(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: made}, nil
}

// A listener has the address that it was given.
type listener struct {
	*bufconn.Listener
	at address
}

// Accept implements net.Listener. The library's listener fails only when it is closed.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, net.ErrClosed
	}
	return &conn{Conn: accepted}, nil
}

// Addr implements net.Listener.
func (l listener) Addr() net.Addr { return l.at }

// A conn fails at a deadline as a socket does: with its error, after which TLS can go on, and only at one that holds. The
// library's timer of a deadline may fire after that was replaced.
type conn struct {
	net.Conn

	mu            sync.Mutex
	reads, writes time.Time // the deadlines that hold; zero is none
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = t
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes = t
	return c.Conn.SetWriteDeadline(t)
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		switch {
		case !isTimeout(err):
			return n, err
		case n > 0 || c.isOver(&c.reads, c.Conn.SetReadDeadline):
			return n, os.ErrDeadlineExceeded
		}
	}
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (written int, err error) {
	for {
		n, err := c.Conn.Write(b[written:])
		written += n
		switch {
		case !isTimeout(err):
			return written, err
		case c.isOver(&c.writes, c.Conn.SetWriteDeadline):
			return written, os.ErrDeadlineExceeded
		}
	}
}

// isOver reports whether a deadline has passed. One that has not is set anew.
func (c *conn) isOver(deadline *time.Time, set func(time.Time) error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !deadline.IsZero() && !time.Now().Before(*deadline) {
		return true
	}
	return set(*deadline) != nil
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

type address string

// Network implements net.Addr.
func (address) Network() string { return stack.NetworkInproc }

// String implements net.Addr.
func (a address) String() string { return string(a) }
