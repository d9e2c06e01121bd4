// Package wireconn gives a client of package wire the methods of grpc-go's client connections, so that test suites made
// for those call through it.
package wireconn

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"

	"google.golang.org/grpc"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// Config is what a Conn needs.
type Config struct {
	Address         string      // host:port
	TLS             *tls.Config // nil is plaintext
	Gzip            bool        // requests are compressed, and responses may be
	MessageBytesMax int         // the longest response message; 0 is stack.MessageBytesMax
}

// A Conn makes calls on one connection. It implements grpc.ClientConnInterface.
type Conn struct {
	config Config

	mu   sync.Mutex // conn is for one goroutine
	conn *wire.Conn
}

// Dial connects.
func Dial(ctx context.Context, config Config) (*Conn, error) {
	if config.MessageBytesMax == 0 {
		config.MessageBytesMax = stack.MessageBytesMax
	}
	client, err := wire.Dial(ctx, wire.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, stack.NetworkTCP, config.Address)
		},
		TLS: config.TLS, Authority: config.Address, MessageBytesMax: config.MessageBytesMax,
	})
	if err != nil {
		return nil, err
	}
	return &Conn{config: config, conn: wire.NewConn(client, 1)}, nil
}

// Close ends the connection and its calls.
func (c *Conn) Close() error { return c.conn.Close() }

// Invoke is grpc.ClientConnInterface's. Of its options it knows Header and Trailer.
func (c *Conn) Invoke(ctx context.Context, method string, request, response any, options ...grpc.CallOption) error {
	s, err := c.newStream(ctx, &grpc.StreamDesc{}, method)
	if err != nil {
		return err
	}
	if err := s.SendMsg(request); err != nil && !errors.Is(err, io.EOF) { // RecvMsg says why it has ended
		return err
	}
	err = s.RecvMsg(response)
	for _, option := range options {
		switch o := option.(type) {
		case grpc.HeaderCallOption:
			*o.HeaderAddr, _ = s.Header()
		case grpc.TrailerCallOption:
			*o.TrailerAddr = s.Trailer()
		}
	}
	return err
}

// NewStream is grpc.ClientConnInterface's. It knows no options.
func (c *Conn) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, _ ...grpc.CallOption,
) (grpc.ClientStream, error) {
	return c.newStream(ctx, desc, method)
}

func (c *Conn) newStream(ctx context.Context, desc *grpc.StreamDesc, method string) (*stream, error) {
	s := &stream{ctx: ctx, desc: desc, config: c.config}
	s.changed = sync.NewCond(&s.mu)
	script := wire.Script{
		Call: wire.Call{Path: method, Header: requestFields(ctx), Gzip: c.config.Gzip, Head: s.head},
		Exchange: func(lane *wire.Lane, _ int) wire.Exchange {
			s.lane = lane
			return (*exchange)(s)
		},
	}
	c.mu.Lock()
	caller, err := c.conn.Caller(0, func() (wire.Script, error) { return script, nil })
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	go func() { s.finish(caller.Call(ctx)) }()
	return s, nil
}
