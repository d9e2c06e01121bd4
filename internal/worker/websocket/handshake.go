package websocket

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/gobwas/ws"

	"rpcbench/internal/stack"
)

// handshakePatience is how long a client may take for its handshake.
const handshakePatience = 10 * time.Second

// handshakeBytesMax is the most that a request or an answer may have.
const handshakeBytesMax = 16 << 10

// Client makes a connection over a socket to a server that expects WebSockets, which the request calls by host. It closes the
// socket where that fails.
func Client(ctx context.Context, socket net.Conn, host string) (net.Conn, error) {
	ended := context.AfterFunc(ctx, func() { _ = socket.SetDeadline(time.Unix(1, 0)) })
	c := newConn(socket, ws.StateClientSide)
	_, _, err := ws.Dialer{}.Upgrade(c.shakes(), &url.URL{Scheme: "ws", Host: host, Path: "/"})
	if !ended() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		socket.Close()
		return nil, fmt.Errorf("the WebSocket handshake with %s: %w", host, err)
	}
	return c, nil
}

// Dial opens a connection to an address of a network that has sockets.
func Dial(ctx context.Context, network, address string) (net.Conn, error) {
	socket, err := new(net.Dialer).DialContext(ctx, stack.SocketNetwork(network), address)
	if err != nil || network != stack.NetworkWS {
		return socket, err
	}
	return Client(ctx, socket, address)
}

// serve makes the handshake with a client.
func serve(socket net.Conn) (net.Conn, error) {
	c := newConn(socket, ws.StateServerSide)
	_ = socket.SetDeadline(time.Now().Add(handshakePatience))
	_, err := ws.Upgrader{OnHeader: refusePages}.Upgrade(c.shakes())
	if err != nil {
		return nil, err
	}
	return c, socket.SetDeadline(time.Time{})
}

// refusePages refuses the pages of browsers, which say where they are from. They could reach what listens on loopback alone.
func refusePages(key, _ []byte) error {
	if string(key) != "Origin" {
		return nil
	}
	return ws.RejectConnectionError(ws.RejectionStatus(403), ws.RejectionReason("pages of browsers are not served here\n"))
}

// lines reads no more than a line at once, so that nothing is read of what follows a handshake, and no more than one may have:
// the library keeps a line however long it is.
type lines struct {
	from *bufio.Reader
	left int
}

// Read implements io.Reader.
func (l *lines) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if l.left == 0 {
			return n, fmt.Errorf("it is longer than %d bytes", handshakeBytesMax)
		}
		if b[n], err = l.from.ReadByte(); err != nil {
			return n, err
		}
		l.left--
		n++
		if b[n-1] == '\n' {
			return n, nil
		}
	}
	return n, nil
}

// shakes is what a handshake reads and writes.
func (c *conn) shakes() io.ReadWriter {
	return struct {
		io.Reader
		io.Writer
	}{&lines{c.from, handshakeBytesMax}, c.Conn}
}
