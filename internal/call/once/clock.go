package once

import (
	"context"
	"net"
	"net/http/httptrace"
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

// late is the words of a call that the deadline has ended; load counts it under the same.
const late = "the deadline passed"

// late returns the words of a call that the deadline has ended, which say whether that was within TLS's handshake.
func (c *clock) late(secure bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if secure && !slices.ContainsFunc(c.parts, func(p Part) bool { return p.Name == "tls" }) {
		return late + " within the TLS handshake"
	}
	return late
}

// all are the parts and the whole.
func (c *clock) all() []Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(slices.Clone(c.parts), Part{"total", c.last.Sub(c.begun).Nanoseconds()})
}

// dial connects, and notes how long the name and the connection took. Of a name with several addresses it takes one that answers.
func (c *clock) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	switch {
	case network == stack.NetworkUnix: // has no name
	case err != nil:
		return nil, err
	case net.ParseIP(host) != nil:
		c.ended("resolve")
	default:
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{DNSDone: func(httptrace.DNSDoneInfo) { c.ended("resolve") }})
	}
	defer c.ended("connect")
	return websocket.Dial(ctx, network, address)
}
