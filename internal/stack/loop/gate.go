package loop

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A Gate is a socket whose writes take everything and never block: what the peer does not accept at once is kept for Push, or for
// Drain where no loop serves the socket. It lies below TLS, whose records can't be split.
type Gate struct {
	net.Conn
	// Prompt is set once the connection is ready, before others use it: until then writes wait.
	Prompt bool

	mu       sync.Mutex
	kept     []byte
	draining bool
}

var past = time.Unix(1, 0)

// Write implements net.Conn. It takes all of b, or the socket has failed. A socket that no loop serves must take what fits even
// after its deadline.
func (g *Gate) Write(b []byte) (n int, err error) {
	if !g.Prompt {
		return g.Conn.Write(b)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.kept) == 0 && !g.draining {
		if n, err = g.now(b); err != nil {
			return n, err
		}
	}
	g.kept = append(g.kept, b[n:]...)
	return len(b), nil
}

// now writes as much as the peer accepts now.
func (g *Gate) now(b []byte) (n int, err error) {
	_ = g.SetWriteDeadline(past) // a socket that can't is closed
	n, err = g.Conn.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, err
}

// Kept returns how many bytes are kept.
func (g *Gate) Kept() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.kept)
}

// Push writes as much of what is kept as the peer accepts now. If some is left, a loop visits the owner when there is room.
func (g *Gate) Push() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.kept) == 0 {
		return nil
	}
	n, err := g.now(g.kept)
	g.kept = g.kept[:copy(g.kept, g.kept[n:])]
	return err
}

// Drain writes what is kept, and waits until the peer accepts it. It is for one goroutine at a time.
func (g *Gate) Drain() error {
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

// A Rebased socket wraps another one that may be replaced, for example to count its bytes.
type Rebased interface {
	Rebase(replace func(net.Conn) (net.Conn, error)) error
}

// Join has a loop serve the socket from now on, and makes it prompt. A wrapper of the socket that is Rebased goes on.
func (g *Gate) Join(on *Loop, owner Owner) error {
	adopt := func(socket net.Conn) (net.Conn, error) { return on.Adopt(socket, owner) }
	if outer, ok := g.Conn.(Rebased); ok {
		g.Prompt = true
		return outer.Rebase(adopt)
	}
	socket, err := adopt(g.Conn)
	if err == nil {
		g.Conn, g.Prompt = socket, true
	}
	return err
}
