package conform

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"sync"
)

// A recorder sits between a client and a server and records what each of them sends.
type recorder struct {
	listener net.Listener
	server   string
	copying  sync.WaitGroup

	mu      sync.Mutex
	out, in bytes.Buffer // the client's and the server's bytes, of all sockets
	sockets []net.Conn
	closed  bool
	open    int // sockets of the client's that it has not closed
}

// listen starts a recorder before the server at an address.
func listen(server string) (*recorder, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("record the wire: %w", err)
	}
	r := &recorder{listener: listener, server: server}
	r.copying.Go(r.accept)
	return r, nil
}

func (r *recorder) address() string { return r.listener.Addr().String() }

func (r *recorder) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.server)
		if err != nil {
			client.Close() // which the client counts
			continue
		}
		if r.keep(client, server) {
			r.copying.Go(func() { r.pass(server, client, &r.out); r.count(-1) })
			r.copying.Go(func() { r.pass(client, server, &r.in) })
		}
	}
}

// keep remembers sockets so that close can close them.
func (r *recorder) keep(sockets ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sockets = append(r.sockets, sockets...)
	if r.closed {
		for _, s := range sockets {
			s.Close()
		}
		return false
	}
	r.open++
	return true
}

func (r *recorder) count(more int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open += more
}

// came returns how many sockets the client has opened.
func (r *recorder) came() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.sockets) / 2)
}

// stillOpen returns how many sockets the client has open.
func (r *recorder) stillOpen() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open
}

// pass copies from one side to the other. Data is recorded before it is passed on.
func (r *recorder) pass(to, from net.Conn, kept *bytes.Buffer) {
	defer to.Close()
	_, _ = io.Copy(io.MultiWriter(&locked{&r.mu, kept}, to), from) // whatever ends it ends the socket
}

// recorded returns what client and server have sent so far.
func (r *recorder) recorded() (out, in []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.out.Bytes()), bytes.Clone(r.in.Bytes())
}

func (r *recorder) close() {
	r.listener.Close()
	r.mu.Lock()
	r.closed = true
	for _, s := range r.sockets {
		s.Close()
	}
	r.mu.Unlock()
	r.copying.Wait()
}

type locked struct {
	mu *sync.Mutex
	to *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}
