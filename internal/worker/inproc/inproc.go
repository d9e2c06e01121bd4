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
	return conn{made}, nil
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
	return conn{accepted}, nil
}

// Addr implements net.Listener.
func (l listener) Addr() net.Addr { return l.at }

// A conn fails at a deadline as a socket does. After the library's own error TLS would be broken for good.
type conn struct{ net.Conn }

// Read implements net.Conn.
func (c conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	return n, asOfSocket(err)
}

// Write implements net.Conn.
func (c conn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	return n, asOfSocket(err)
}

func asOfSocket(err error) error {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return os.ErrDeadlineExceeded
	}
	return err
}

type address string

// Network implements net.Addr.
func (address) Network() string { return stack.NetworkInproc }

// String implements net.Addr.
func (a address) String() string { return string(a) }
