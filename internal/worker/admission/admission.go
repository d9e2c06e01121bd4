// Package admission limits the connections of a listener: their number, and how long each may be idle.
package admission

import (
	"net"
	"sync/atomic"
	"time"
)

// Limits are the limits of one listener; 0 means none.
type Limits struct {
	Connections int           // open at once
	Idle        time.Duration // without a byte either way
}

// Listen returns a listener that accepts what l does, within limits. A connection beyond their number is closed at once. One that
// has been idle for Idle is closed then, or up to a quarter of that time later.
func Listen(l net.Listener, limits Limits) net.Listener {
	if limits == (Limits{}) {
		return l
	}
	return &listener{Listener: l, limits: limits}
}

type listener struct {
	net.Listener

	limits Limits
	open   atomic.Int64
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if open := l.open.Add(1); l.limits.Connections == 0 || open <= int64(l.limits.Connections) {
			return l.admit(accepted), nil
		}
		l.open.Add(-1)
		_ = accepted.Close() // nothing was done with it
	}
}

func (l *listener) admit(accepted net.Conn) net.Conn {
	c := &conn{Conn: accepted, from: l}
	if l.limits.Idle > 0 {
		c.watch(l.limits.Idle)
	}
	return c
}
