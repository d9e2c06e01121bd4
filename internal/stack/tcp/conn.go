package tcp

import (
	"context"
	"crypto/tls"
	"net"
	"sync"

	"rpcbench/internal/stack"
)

// A conn holds the sockets of its slots.
type conn struct {
	config stack.DialConfig
	slots  []*socket
	shared stack.PingPong

	mu     sync.Mutex
	spare  net.Conn // opened by Dial, and not yet anybody's
	open   map[net.Conn]struct{}
	closed bool

	requests requests // of the call that Callers are being made of
}

func newConn(config stack.DialConfig) *conn {
	c := &conn{config: config, open: map[net.Conn]struct{}{}, slots: make([]*socket, config.InFlight)}
	for i := range c.slots {
		c.slots[i] = &socket{conn: c}
	}
	return c
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (floor{}).Info().CheckCall(call, slot, c.config.InFlight); err != nil {
		return nil, err
	}
	if !c.requests.are(call) {
		c.requests = newRequests(call)
	}
	switch {
	case stack.SharesStreams(call.Kind) && call.Streams < c.config.InFlight:
		return c.shared.Caller(call, slot, c.config.InFlight, openWindow(c, c.requests)), nil
	case call.Kind == stack.KindStream, call.Kind == stack.KindBothWays:
		return newStream(newCaller(c.slots[slot], call, slot, c.requests), call), nil
	default:
		return newTurn(newCaller(c.slots[slot], call, slot, c.requests), call), nil
	}
}

// take returns the socket that Dial opened, or opens one.
func (c *conn) take(ctx context.Context) (net.Conn, error) {
	c.mu.Lock()
	spare := c.spare
	c.spare = nil
	c.mu.Unlock()
	if spare != nil {
		return spare, nil
	}
	return c.dial(ctx, c.config.TLS)
}

func (c *conn) dial(ctx context.Context, config *tls.Config) (net.Conn, error) {
	raw, err := c.config.Dial(ctx, c.config.Network, c.config.Address)
	if err != nil {
		return nil, err
	}
	ready := raw
	if config != nil {
		secure := tls.Client(raw, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			raw.Close()
			return nil, err
		}
		ready = secure
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		raw.Close()
		return nil, net.ErrClosed
	}
	c.open[ready] = struct{}{}
	return ready, nil
}

// drop closes a socket on which a call has failed, or is to.
func (c *conn) drop(used net.Conn) {
	c.mu.Lock()
	delete(c.open, used)
	c.mu.Unlock()
	stack.CloseNow(used)
}

// Close is stack.Conn's.
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var first error
	for socket := range c.open {
		if err := socket.Close(); err != nil && first == nil {
			first = err
		}
	}
	clear(c.open)
	return first
}
