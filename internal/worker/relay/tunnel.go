package relay

import (
	"net"
	"syscall"
	"time"
)

// A socket is a TCP or a Unix socket.
type socket interface {
	net.Conn
	syscall.Conn
	CloseWrite() error
}

// A tunnel is one connection through the link: the client's socket, the one to the server, and a pipe each way.
type tunnel struct {
	relay          *Relay
	client, server socket // server is nil when it refused
	up, down       *pipe
	ends           int  // directions in which nothing more will come
	over           bool // both sockets are closed, or are being closed
}

// join connects the client, which asked for it at asked, with the hop's server. It dials the server at once, so that dialling
// adds nothing to the round trips. It reads from neither side before that side could know that it is connected.
func (r *Relay) join(client socket, hop Hop, asked time.Duration) {
	server, err := r.dial(r.ctx, hop.Network, hop.Target)
	t := &tunnel{relay: r, client: client}
	if err == nil {
		t.server = server.(socket)
	}
	t.up, t.down = newPipe(t, r.up, t.client, t.server), newPipe(t, r.down, t.server, t.client)
	t.up.back, t.down.back = t.down, t.up

	r.mu.Lock()
	defer r.mu.Unlock()
	r.connections++
	r.tunnels[t] = struct{}{}
	switch {
	case r.closed:
		r.running.Go(t.abort) // which takes the lock
	case err != nil:
		t.down.push(segment{due: asked + r.link.RTT, act: reset})
	default:
		t.up.push(segment{due: asked + r.link.RTT, act: open})
		t.down.push(segment{due: asked + r.link.RTT + r.link.RTT/2, act: open})
	}
}

// ended takes account of a direction in which the end has been passed on.
func (t *tunnel) ended() {
	t.relay.mu.Lock()
	t.ends++
	both := t.ends == 2
	t.relay.mu.Unlock()
	if both && t.finish() {
		t.each(func(s socket) { _ = s.Close() }) // all has been said
	}
}

// abort breaks the connection off on both sides.
func (t *tunnel) abort() {
	if t.finish() {
		t.each(func(s socket) {
			if tcp, ok := s.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // the peer shall see a reset, not an end
			}
			_ = s.Close()
		})
	}
}

// finish releases the tunnel. It reports whether it was the first to do so; that caller closes the sockets.
func (t *tunnel) finish() bool {
	t.relay.mu.Lock()
	defer t.relay.mu.Unlock()
	if t.over {
		return false
	}
	t.over = true
	delete(t.relay.tunnels, t)
	t.up.drop()
	t.down.drop()
	return true
}

func (t *tunnel) each(do func(socket)) {
	do(t.client)
	if t.server != nil {
		do(t.server)
	}
}
