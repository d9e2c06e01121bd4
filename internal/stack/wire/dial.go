package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/blocking"
	"rpcbench/internal/stack/loop"
)

const protocol = "h2" // in TLS, RFC 9113, section 3.2

// connect dials in a new goroutine if calls wait for it.
func (c *Client) connect() {
	if c.dialling || c.waiting.Len() == 0 {
		return
	}
	c.dialling = true
	go c.redial(time.Until(c.dialAfter))
}

// redial makes one attempt, after a pause. When it fails, so do all calls that wait for it.
func (c *Client) redial(pause time.Duration) {
	if pause > 0 {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(c.ctx, dialPatience)
	defer cancel()
	l, err := c.open(ctx)
	if err == nil && c.blocks {
		l.yield = blocking.Take(l.bare)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialling = false
	c.dialAfter = time.Now().Add(dialPause)
	c.rouse()
	switch {
	case err != nil:
		c.endWaiting(&stack.Error{Code: stack.NetCode(err), Err: err})
	case c.closed:
		l.socket.Close()
	default:
		c.link = l
		if c.loop != nil {
			if err := l.join(c.loop); err != nil {
				c.lose(l, err)
				c.endWaiting(&stack.Error{Code: stack.NetCode(err), Err: err})
				return
			}
		}
		c.admit()
	}
}

// open connects and waits for the server's settings.
func (c *Client) open(ctx context.Context) (*link, error) {
	bare, err := c.config.Dial(ctx)
	if err != nil {
		return nil, err
	}
	bare = hasten(bare)
	g := &loop.Gate{Conn: bare}
	socket := net.Conn(g)
	if c.config.TLS != nil {
		if socket, err = secure(ctx, socket, c.config.TLS); err != nil {
			return nil, err
		}
	}
	l := newLink(c, bare, g, socket)
	stop := context.AfterFunc(ctx, func() { socket.SetDeadline(past) })
	err = l.shake()
	if !stop() && err == nil {
		err = ctx.Err() // the deadline of the past stays set
	}
	if err != nil {
		socket.Close()
		if ctx.Err() != nil {
			err = stack.Errorf(stack.Unavailable, "the server sent no settings in time: %w", err)
		}
		return nil, err
	}
	g.Prompt = true
	return l, nil
}

func secure(ctx context.Context, socket net.Conn, config *tls.Config) (net.Conn, error) {
	config = config.Clone()
	if !slices.Contains(config.NextProtos, protocol) {
		config.NextProtos = append(config.NextProtos, protocol)
	}
	ready := tls.Client(socket, config)
	if err := ready.HandshakeContext(ctx); err != nil {
		socket.Close()
		if ctx.Err() != nil {
			err = stack.Errorf(stack.Unavailable, "the server did not complete the TLS handshake in time: %w", err)
		}
		return nil, err
	}
	if agreed := ready.ConnectionState().NegotiatedProtocol; agreed != protocol {
		socket.Close()
		return nil, stack.Errorf(stack.Unavailable, "the server selected %q by ALPN, not HTTP/2", agreed)
	}
	return ready, nil
}

// shake sends the preface and takes the server's first frame.
func (l *link) shake() error {
	l.greet()
	if _, err := l.socket.Write(l.out); err != nil {
		return err
	}
	l.out = l.out[:0]
	for {
		err := l.hear()
		f, size, wrong := readFrame(l.in[:l.end])
		if wrong == nil && size > 0 {
			wrong = l.receive(&f)
		}
		switch {
		case wrong != nil:
			return l.notHTTP2(wrong)
		case size > 0:
			l.start, l.unparsed = size, size < l.end
			return nil
		case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
			return stack.Errorf(stack.Unavailable, "the server closed the connection before its settings, "+
				"as one does that takes no more connections: %w", err)
		case err != nil:
			return err
		}
	}
}
