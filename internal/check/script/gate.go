package script

import (
	"net"
	"sync"
	"time"
)

// A gate says when the server is stopped: once, or in every period. Its time starts with the first byte that arrives.
type gate struct {
	length time.Duration
	after  time.Duration // where it is once
	every  time.Duration // where it is periodic; 0 is once

	mu    sync.Mutex
	begun time.Time
}

// opens returns when bytes that have arrived now may be read: now, or at the end of the stop.
func (g *gate) opens(now time.Time) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.begun.IsZero() {
		g.begun = now
	}
	into := now.Sub(g.begun) - g.after
	if g.every > 0 {
		into %= g.every
	}
	if into < 0 || into >= g.length {
		return now
	}
	return now.Add(g.length - into)
}

// A gatedListener holds back what arrives on its sockets while the gate is shut.
type gatedListener struct {
	net.Listener

	gate    *gate
	stopped <-chan struct{}
}

// Accept is net.Listener's.
func (l *gatedListener) Accept() (net.Conn, error) {
	socket, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &gatedConn{socket, l}, nil
}

type gatedConn struct {
	net.Conn

	listener *gatedListener
}

// Read is net.Conn's.
func (c *gatedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if now := time.Now(); n > 0 {
		if at := c.listener.gate.opens(now); at.After(now) {
			until(at, c.listener.stopped) // what was read is given out all the same when the server is stopped
		}
	}
	return n, err
}
