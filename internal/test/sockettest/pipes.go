package sockettest

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Pipes is a listener whose connections are memory that takes whatever is written. Waiting for them counts as idle in a
// bubble of testing/synctest, so that clients and servers run there in virtual time.
type Pipes struct {
	offered chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// NewPipes returns a listener, which belongs to the bubble that it is made in.
func NewPipes() *Pipes { return &Pipes{offered: make(chan net.Conn), closed: make(chan struct{})} }

// Dial opens a connection, whatever the network and the address. It fails when the listener is closed or ctx ends.
func (p *Pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	there, back := newDirection(), newDirection()
	select {
	case p.offered <- pipe{in: there, out: back}:
		return pipe{in: back, out: there}, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.offered:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *Pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *Pipes) Addr() net.Addr { return nowhere{} }

type nowhere struct{}

// Network implements net.Addr.
func (nowhere) Network() string { return "pipe" }

// String implements net.Addr.
func (nowhere) String() string { return "pipe" }

// A pipe is one end of a connection.
type pipe struct{ in, out *direction }

// Read implements net.Conn.
func (p pipe) Read(b []byte) (int, error) { return p.in.read(b) }

// Write implements net.Conn. It never waits.
func (p pipe) Write(b []byte) (int, error) { return p.out.write(b) }

// Close implements net.Conn.
func (p pipe) Close() error {
	p.in.change(func(d *direction) { d.unread = true })
	p.out.change(func(d *direction) { d.ended = true })
	return nil
}

// LocalAddr implements net.Conn.
func (pipe) LocalAddr() net.Addr { return nowhere{} }

// RemoteAddr implements net.Conn.
func (pipe) RemoteAddr() net.Addr { return nowhere{} }

// SetDeadline implements net.Conn.
func (p pipe) SetDeadline(t time.Time) error { return p.SetReadDeadline(t) }

// SetReadDeadline implements net.Conn.
func (p pipe) SetReadDeadline(t time.Time) error {
	p.in.change(func(d *direction) { d.deadline = t })
	if left := time.Until(t); left > 0 {
		time.AfterFunc(left, func() { p.in.change(func(*direction) {}) })
	}
	return nil
}

// SetWriteDeadline implements net.Conn.
func (pipe) SetWriteDeadline(time.Time) error { return nil }

// A direction is what one end of a connection writes and the other reads.
type direction struct {
	mu       sync.Mutex
	changed  sync.Cond
	bytes    []byte
	deadline time.Time // of the reader; zero is none
	ended    bool      // the writer has closed its end
	unread   bool      // the reader has
}

func newDirection() *direction {
	d := &direction{}
	d.changed.L = &d.mu
	return d
}

func (d *direction) change(what func(*direction)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what(d)
	d.changed.Broadcast()
}

func (d *direction) read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.unread:
			return 0, net.ErrClosed
		case !d.deadline.IsZero() && !time.Now().Before(d.deadline):
			return 0, os.ErrDeadlineExceeded
		case len(d.bytes) > 0:
			n := copy(b, d.bytes)
			d.bytes = d.bytes[n:]
			return n, nil
		case d.ended:
			return 0, io.EOF
		}
		d.changed.Wait()
	}
}

func (d *direction) write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.ended:
		return 0, net.ErrClosed
	case d.unread:
		return 0, io.ErrClosedPipe
	}
	d.bytes = append(d.bytes, b...)
	d.changed.Broadcast()
	return len(b), nil
}
