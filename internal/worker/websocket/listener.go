package websocket

import (
	"errors"
	"net"
	"sync"
	"time"
)

// start is how a WebSocket's handshake begins, and nothing else that is called here: gRPC and HTTP/2 begin with PRI, TLS with a
// byte that is no letter, and our calls over HTTP/1.1 are POST.
const start = "GET "

// A listener makes connections of what another accepts. Handshakes are made beside each other, so that none is waited for.
type listener struct {
	net.Listener

	mixed bool
	ready chan accepted
	over  chan struct{}
	once  sync.Once

	mu      sync.Mutex
	pending map[net.Conn]bool // sockets in their handshakes
}

type accepted struct {
	conn net.Conn
	err  error
}

// Listen accepts connections over WebSockets on the sockets of another listener. A socket that asks for something else is
// closed; where mixed is set, it is accepted as it is.
func Listen(sockets net.Listener, mixed bool) net.Listener {
	l := &listener{Listener: sockets, mixed: mixed, ready: make(chan accepted), over: make(chan struct{}),
		pending: map[net.Conn]bool{}}
	go l.run()
	return l
}

func (l *listener) run() {
	for {
		socket, err := l.Listener.Accept()
		if err != nil {
			l.offer(accepted{err: err})
		}
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil && l.begin(socket):
			go l.shake(socket)
		}
		select {
		case <-l.over:
			return
		default:
		}
	}
}

// begin notes that a socket is in its handshake. It closes one that comes when the listener is closed.
func (l *listener) begin(socket net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		socket.Close()
		return false
	}
	l.pending[socket] = true
	return true
}

// shake makes the handshake of a socket, and offers the connection.
func (l *listener) shake(socket net.Conn) {
	conn, err := l.recognise(socket)
	l.mu.Lock()
	delete(l.pending, socket)
	l.mu.Unlock()
	if err != nil {
		socket.Close()
		return
	}
	l.offer(accepted{conn: conn})
}

// recognise looks at the first bytes of a socket, as few as it takes.
func (l *listener) recognise(socket net.Conn) (net.Conn, error) {
	_ = socket.SetReadDeadline(time.Now().Add(handshakePatience))
	var seen [len(start)]byte
	n := 0
	for n < len(seen) {
		got, err := socket.Read(seen[n:])
		if n += got; err != nil {
			return nil, err
		}
		if string(seen[:n]) != start[:n] {
			break
		}
	}
	first := &begun{Conn: socket, first: seen[:n]}
	switch {
	case string(seen[:n]) == start:
		return serve(first)
	case !l.mixed:
		return nil, errors.New("no handshake of a WebSocket")
	default:
		return first, socket.SetReadDeadline(time.Time{})
	}
}

// offer hands a connection to who accepts.
func (l *listener) offer(a accepted) {
	select {
	case l.ready <- a:
	case <-l.over:
		if a.conn != nil {
			a.conn.Close()
		}
	}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case a := <-l.ready:
		return a.conn, a.err
	case <-l.over:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. Handshakes that are under way end.
func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.over)
		l.mu.Lock()
		defer l.mu.Unlock()
		for socket := range l.pending {
			socket.Close()
		}
		l.pending = nil
	})
	return l.Listener.Close()
}

// A begun connection has bytes that were read before.
type begun struct {
	net.Conn
	first []byte
}

// Read implements net.Conn.
func (b *begun) Read(p []byte) (int, error) {
	if len(b.first) == 0 || len(p) == 0 {
		return b.Conn.Read(p)
	}
	n := copy(p, b.first)
	b.first = b.first[n:]
	return n, nil
}
