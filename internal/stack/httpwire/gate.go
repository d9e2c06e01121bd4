package httpwire

import (
	"errors"
	"net"
	"os"

	"rpcbench/internal/stack/loop"
)

// A gate is a socket whose writes take everything once a loop serves it: what the peer does not accept at once is kept for push.
// It lies below TLS, whose records can't be split. Only the owner of the socket uses it.
type gate struct {
	net.Conn
	joined bool // a loop serves it: nothing blocks
	kept   []byte
}

// Write implements net.Conn. It takes all of b, or the socket has failed.
func (g *gate) Write(b []byte) (n int, err error) {
	if !g.joined {
		return g.Conn.Write(b)
	}
	if len(g.kept) == 0 {
		n, err = g.Conn.Write(b)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	g.kept = append(g.kept, b[n:]...)
	return len(b), nil
}

// push writes as much of what is kept as the peer accepts now.
func (g *gate) push() error {
	if len(g.kept) == 0 {
		return nil
	}
	n, err := g.Conn.Write(g.kept)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	g.kept = g.kept[:copy(g.kept, g.kept[n:])]
	return nil
}

// join has a loop serve the socket from now on. A wrapper of the socket that supports it goes on, for example to count bytes.
func (g *gate) join(on *loop.Loop, owner loop.Owner) error {
	adopt := func(socket net.Conn) (net.Conn, error) { return on.Adopt(socket, owner) }
	if outer, ok := g.Conn.(interface {
		Rebase(replace func(net.Conn) (net.Conn, error)) error
	}); ok {
		g.joined = true
		return outer.Rebase(adopt)
	}
	socket, err := adopt(g.Conn)
	if err == nil {
		g.Conn, g.joined = socket, true
	}
	return err
}
