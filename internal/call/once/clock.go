package once

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/websocket"
)

// A clock notes when the parts of a call ended. It may be used concurrently: a library may dial once more meanwhile.
type clock struct {
	begun time.Time

	mu    sync.Mutex
	last  time.Time
	parts []Part
}

func newClock() *clock {
	now := time.Now()
	return &clock{last: now, begun: now}
}

// ended notes that a part has ended now.
func (c *clock) ended(part string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.parts = append(c.parts, Part{part, now.Sub(c.last).Nanoseconds()})
	c.last = now
}

// all are the parts and the whole.
func (c *clock) all() []Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(slices.Clone(c.parts), Part{"total", c.last.Sub(c.begun).Nanoseconds()})
}

// dial connects, and notes how long the name and the connection took.
func (c *clock) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	if network == stack.NetworkUnix {
		conn, err := dialer.DialContext(ctx, network, address)
		c.ended("connect")
		return conn, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	c.ended("resolve")
	if err != nil {
		return nil, err
	}
	defer c.ended("connect")
	for _, found := range addresses {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, stack.SocketNetwork(network), net.JoinHostPort(found, port)); err != nil {
			continue
		}
		if network == stack.NetworkWS {
			return websocket.Client(ctx, conn, address)
		}
		return conn, nil
	}
	return nil, err
}
