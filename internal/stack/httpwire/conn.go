package httpwire

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/blocking"
)

// A conn holds the sockets of its slots, over HTTP/1.1.
type conn struct {
	config stack.DialConfig
	dialled
	slots   []*socket
	joined  *joined // nil without a loop
	blocks  bool    // its sockets' readers wait in the kernel
	retries atomic.Int64
}

func newConn(config stack.DialConfig, once bool) *conn {
	c := &conn{
		config:  config,
		dialled: dialled{host: authority(config), gzip: config.Compression == stack.CompressionGzip, once: once},
		slots:   make([]*socket, config.InFlight),
	}
	for i := range c.slots {
		c.slots[i] = &socket{dial: c.dial, once: once, retries: &c.retries}
	}
	return c
}

// authority returns the authority that requests are sent to.
func authority(config stack.DialConfig) string {
	switch {
	case config.Authority != "":
		return config.Authority
	case config.Network == stack.NetworkUnix:
		return "localhost" // a path is none
	default:
		return config.Address
	}
}

// Block is stack.Blocker's.
func (c *conn) Block() { c.blocks = true }

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (httpWire{}).Info().CheckCall(call, slot, c.config.InFlight); err != nil {
		return nil, err
	}
	return newCaller(c.slots[slot], newScript(c.dialled, call, slot)), nil
}

func (c *conn) dial(ctx context.Context) (net.Conn, error) {
	raw, err := c.config.Dial(ctx, c.config.Network, c.config.Address)
	if err != nil {
		return nil, err
	}
	if c.blocks {
		blocking.Take(raw) // Close gives the processor back
	}
	if c.config.TLS == nil {
		return raw, nil
	}
	secure, err := c.secure(ctx, raw)
	if err != nil {
		raw.Close()
		return nil, err
	}
	return secure, nil
}

func (c *conn) secure(ctx context.Context, raw net.Conn) (net.Conn, error) {
	config := c.config.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	secure := tls.Client(raw, config)
	return secure, secure.HandshakeContext(ctx)
}

// Retries is stack.Retrier's.
func (c *conn) Retries() int64 { return c.retries.Load() }

// Close is stack.Conn's.
func (c *conn) Close() error {
	for _, s := range c.slots {
		s.end()
	}
	if c.joined != nil {
		c.joined.close()
	}
	return nil
}
