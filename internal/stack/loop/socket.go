package loop

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// errAgain is what a descriptor returns that would have to wait.
const errAgain = syscall.EAGAIN

// smallBytes is the length below which a read's bytes come through a larger buffer: TLS asks for a record's header first, and
// the rest would cost it another system call.
const smallBytes = 16 << 10

// A Socket is a net.Conn on a loop that never blocks. Read is for Owner.Ready: it takes what is there, with one system call in
// each Ready, so that no server keeps the loop to itself. Write takes what the kernel accepts; then the Owner is Ready when
// there is room for more. What would have to wait fails with os.ErrDeadlineExceeded. Deadlines have no effect.
type Socket struct {
	loop          *Loop
	owner         Owner
	fd            int
	tag           int32
	local, remote net.Addr

	mu      sync.Mutex // held while fd is used
	closed  bool
	crowded bool // the loop reports when there is room

	// Fields of the loop's goroutine.
	readable bool   // not read since an event said so
	ahead    []byte // read and not yet taken, in the loop's memory
}

// Adopt takes a socket into the loop: the returned one replaces it, and conn must not be used any more. The owner is Ready when
// something arrives. Adopt fails if conn has no descriptor, and then leaves conn unchanged.
func (l *Loop) Adopt(conn net.Conn, owner Owner) (net.Conn, error) {
	fd, err := Descriptor(conn)
	if err != nil {
		return nil, err
	}
	s, err := l.adopt(fd, conn, owner)
	if err != nil {
		return nil, err
	}
	conn.Close() // its descriptor: fd is another one of the same socket
	return s, nil
}

func (l *Loop) adopt(fd int, was net.Conn, owner Owner) (*Socket, error) {
	s := &Socket{loop: l, owner: owner, fd: fd, local: was.LocalAddr(), remote: was.RemoteAddr()}
	if err := l.add(s); err != nil {
		_ = l.poller.close(fd) // err says more
		return nil, err
	}
	return s, nil
}

// happened notes an event.
func (s *Socket) happened(e event) {
	s.readable = s.readable || e.readable
	if e.writable {
		s.room(false)
	}
}

// room has the loop report room to write, or no longer.
func (s *Socket) room(wanted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && s.crowded != wanted {
		s.crowded = wanted
		s.loop.poller.room(s.fd, s.tag, wanted)
	}
}

// Read implements net.Conn.
func (s *Socket) Read(b []byte) (int, error) {
	if len(s.ahead) == 0 {
		if len(b) >= smallBytes {
			return s.read(b)
		}
		n, err := s.read(s.loop.ahead)
		if err != nil {
			return 0, err
		}
		s.ahead = s.loop.ahead[:n]
	}
	n := copy(b, s.ahead)
	s.ahead = s.ahead[n:]
	return n, nil
}

func (s *Socket) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, net.ErrClosed
	case !s.readable:
		return 0, os.ErrDeadlineExceeded
	}
	s.readable = false
	switch n, err := s.loop.poller.read(s.fd, b); {
	case errors.Is(err, errAgain):
		return 0, os.ErrDeadlineExceeded
	case err != nil:
		return 0, s.failure("read", err)
	case n == 0:
		return 0, io.EOF
	default:
		return n, nil
	}
}

// Write implements net.Conn.
func (s *Socket) Write(b []byte) (written int, err error) {
	for written < len(b) {
		n, err := s.write(b[written:])
		written += n
		switch {
		case errors.Is(err, errAgain):
			s.room(true)
			return written, os.ErrDeadlineExceeded
		case err != nil:
			return written, err
		}
	}
	return written, nil
}

func (s *Socket) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	n, err := s.loop.poller.write(s.fd, b)
	if err != nil && !errors.Is(err, errAgain) {
		err = s.failure("write", err)
	}
	return n, err
}

func (s *Socket) failure(operation string, err error) error {
	return &net.OpError{
		Op: operation, Net: s.local.Network(), Source: s.local, Addr: s.remote, Err: os.NewSyscallError(operation, err),
	}
}

// Close implements net.Conn.
func (s *Socket) Close() error {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return net.ErrClosed
	}
	s.loop.remove(s)
	return s.loop.poller.close(s.fd)
}

// LocalAddr implements net.Conn.
func (s *Socket) LocalAddr() net.Addr { return s.local }

// RemoteAddr implements net.Conn.
func (s *Socket) RemoteAddr() net.Addr { return s.remote }

// SetDeadline implements net.Conn, without effect.
func (*Socket) SetDeadline(time.Time) error { return nil }

// SetReadDeadline implements net.Conn, without effect.
func (*Socket) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline implements net.Conn, without effect.
func (*Socket) SetWriteDeadline(time.Time) error { return nil }

// SyscallConn implements syscall.Conn, for code that asks the socket about itself.
func (s *Socket) SyscallConn() (syscall.RawConn, error) { return lent{s}, nil }

// lent is a syscall.RawConn through which a socket can be asked, but not used.
type lent struct{ socket *Socket }

// Control implements syscall.RawConn.
func (l lent) Control(f func(fd uintptr)) error {
	l.socket.mu.Lock()
	defer l.socket.mu.Unlock()
	if l.socket.closed {
		return net.ErrClosed
	}
	f(uintptr(l.socket.fd))
	return nil
}

// Read implements syscall.RawConn.
func (lent) Read(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// Write implements syscall.RawConn.
func (lent) Write(func(fd uintptr) bool) error { return errors.ErrUnsupported }
