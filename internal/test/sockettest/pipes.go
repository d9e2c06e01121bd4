package sockettest

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Pipes is a listener whose connections are memory. Waiting for them counts as idle in a bubble of testing/synctest, so that
// clients and servers run there in virtual time.
type Pipes struct {
	// Room is how many bytes a connection takes each way that are not read; 0 is any number. A write that must wait, with a
	// deadline that has passed, has taken what there is room for. It is for before Dial.
	Room int

	offered chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// NewPipes returns a listener, which belongs to the bubble that it is made in.
func NewPipes() *Pipes { return &Pipes{offered: make(chan net.Conn), closed: make(chan struct{})} }

// Dial opens a connection, whatever the network and the address. It fails when the listener is closed or ctx ends.
func (p *Pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	there, back := newDirection(p.Room), newDirection(p.Room)
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

// Write implements net.Conn.
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
func (p pipe) SetDeadline(t time.Time) error {
	_ = p.SetReadDeadline(t)
	return p.SetWriteDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (p pipe) SetReadDeadline(t time.Time) error {
	p.in.until(t, func(d *direction) { d.readUntil = t })
	return nil
}

// SetWriteDeadline implements net.Conn.
func (p pipe) SetWriteDeadline(t time.Time) error {
	p.out.until(t, func(d *direction) { d.writeUntil = t })
	return nil
}

// A direction is what one end of a connection writes and the other reads.
type direction struct {
	room int // 0 is any

	mu         sync.Mutex
	changed    sync.Cond
	bytes      []byte
	readUntil  time.Time // zero is without end
	writeUntil time.Time
	ended      bool // the writer has closed its end
	unread     bool // the reader has
}

func newDirection(room int) *direction {
	d := &direction{room: room}
	d.changed.L = &d.mu
	return d
}

func (d *direction) change(what func(*direction)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	what(d)
	d.changed.Broadcast()
}

// until changes a deadline.
func (d *direction) until(t time.Time, set func(*direction)) {
	d.change(set)
	if left := time.Until(t); left > 0 {
		time.AfterFunc(left, func() { d.change(func(*direction) {}) })
	}
}

func isPast(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }

func (d *direction) read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.unread:
			return 0, net.ErrClosed
		case isPast(d.readUntil):
			return 0, os.ErrDeadlineExceeded
		case len(d.bytes) > 0:
			n := copy(b, d.bytes)
			d.bytes = d.bytes[n:]
			d.changed.Broadcast()
			return n, nil
		case d.ended:
			return 0, io.EOF
		}
		d.changed.Wait()
	}
}

func (d *direction) write(b []byte) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.ended:
			return n, net.ErrClosed
		case d.unread:
			return n, io.ErrClosedPipe
		}
		fits := b[n:]
		if d.room > 0 {
			fits = fits[:min(len(fits), d.room-len(d.bytes))]
		}
		d.bytes = append(d.bytes, fits...)
		d.changed.Broadcast()
		n += len(fits)
		switch {
		case n == len(b):
			return n, nil
		case isPast(d.writeUntil):
			return n, os.ErrDeadlineExceeded
		}
		d.changed.Wait()
	}
}
