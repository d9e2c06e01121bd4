package httpwire

import (
	"context"
	"crypto/tls"
	"net"

	"rpcbench/internal/stack"
)

// A conn holds the sockets of its slots.
type conn struct {
	config stack.DialConfig
	host   string
	slots  []*socket
}

func newConn(config stack.DialConfig) *conn {
	c := &conn{config: config, host: config.Address, slots: make([]*socket, config.InFlight)}
	if config.Network == stack.NetworkUnix {
		c.host = "localhost" // a path is none
	}
	for i := range c.slots {
		c.slots[i] = &socket{dial: c.dial}
	}
	return c
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (httpWire{}).Info().CheckCall(call, slot, c.config.InFlight); err != nil {
		return nil, err
	}
	return newCaller(c.slots[slot], newRequest(c.host, call), call, slot), nil
}

func (c *conn) dial(ctx context.Context) (net.Conn, error) {
	raw, err := c.config.Dial(ctx, c.config.Network, c.config.Address)
	if err != nil || c.config.TLS == nil {
		return raw, err
	}
	config := c.config.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	secure := tls.Client(raw, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return secure, nil
}

// Close is stack.Conn's.
func (c *conn) Close() error {
	for _, s := range c.slots {
		s.end()
	}
	return nil
}
