package wire

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A gate is a socket whose writes never block: what the peer does not accept at once is kept until drain has written it. It lies
// below TLS, whose records can't be split.
type gate struct {
	net.Conn
	prompt bool // set once the connection is ready, before others use it: until then writes wait

	mu       sync.Mutex
	kept     []byte
	draining bool
}

// Write implements net.Conn. It takes all of b, or the socket has failed.
func (g *gate) Write(b []byte) (n int, err error) {
	if !g.prompt {
		return g.Conn.Write(b)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.kept) == 0 && !g.draining {
		_ = g.SetWriteDeadline(past) // as in hasten: it takes what it can
		n, err = g.Conn.Write(b)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	g.kept = append(g.kept, b[n:]...)
	return len(b), nil
}

// keeps reports whether something is kept, so that drain is to be called.
func (g *gate) keeps() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.kept) > 0
}

// drain writes what is kept, and waits until the peer accepts it. It is for one goroutine at a time.
func (g *gate) drain() error {
	for {
		g.mu.Lock()
		ready := g.kept
		g.kept, g.draining = nil, len(ready) > 0
		g.mu.Unlock()
		if len(ready) == 0 {
			return nil
		}
		_ = g.SetWriteDeadline(time.Time{})
		if _, err := g.Conn.Write(ready); err != nil {
			return err
		}
	}
}
