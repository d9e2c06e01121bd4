package tcp

import (
	"context"
	"crypto/tls"
	"net"

	"rpcbench/internal/stack"
)

// dialConfirmed opens a socket, and makes sure that the server has taken the client's certificate where it asked for one.
func (c *conn) dialConfirmed(ctx context.Context) (net.Conn, error) {
	if c.config.TLS == nil {
		return c.dial(ctx, nil)
	}
	asked := false
	socket, err := c.dial(ctx, stack.NoticeAsked(c.config.TLS, &asked))
	if err != nil || !asked || socket.(*tls.Conn).ConnectionState().Version < tls.VersionTLS13 {
		return socket, err
	}
	stop := context.AfterFunc(ctx, func() { socket.SetDeadline(past) })
	err = confirm(socket)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		c.drop(socket)
		return nil, err
	}
	return socket, nil
}

// confirm makes an empty call. A denial confirms as much as a reply.
func confirm(socket net.Conn) error {
	if _, err := socket.Write(newFrame(header{replies: 1}, nil)); err != nil {
		return err
	}
	reply, err := readHeader(socket, make([]byte, headerBytes))
	if err != nil {
		return err
	}
	reason, err := readPayload(socket, reply.length, nil)
	if err == nil && reply.tag != uint8(stack.OK) && reply.tag != uint8(stack.PermissionDenied) {
		err = refusal(reply, reason)
	}
	return err
}
