package blocking

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"rpcbench/internal/stack/loop"
)

// readers is how many sockets have a reader that keeps a processor of Go's.
var readers atomic.Int64

// timeout is how late a reader may learn that it is to return. Data wakes it at once.
const timeout = 2 * time.Millisecond

// Take puts a socket into blocking mode, if nothing has used it so far. The number of such sockets is at most one less than
// GOMAXPROCS, which is raised to at least two. Others, and those that can't be taken out of Go's poller, are left as they are.
// yield gives the processor back, for a reader that has become less important than others: it goes on, at Go's own costs.
func Take(from net.Conn) (yield func()) {
	outer, ok := from.(loop.Rebased)
	if !ok {
		return stay
	}
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}
	var made *socket
	err := errors.New("there is no processor")
	if readers.Add(1) < int64(runtime.GOMAXPROCS(0)) {
		err = outer.Rebase(func(below net.Conn) (net.Conn, error) {
			made, err = newSocket(below)
			return made, err
		})
	}
	if err != nil {
		readers.Add(-1)
		return stay
	}
	return made.yield
}

func stay() {}

// A socket is one in blocking mode.
type socket struct {
	fd            int
	local, remote net.Addr
	using         sync.RWMutex // held for reading by who uses fd
	closed        atomic.Bool
	roused        atomic.Bool // the reader is to return
	hurried       atomic.Bool // a write that would wait is to fail
	yielded       atomic.Bool // its reader keeps no processor
}

// newSocket replaces a socket of Go's, which it closes.
func newSocket(below net.Conn) (*socket, error) {
	fd, err := loop.Descriptor(below)
	if err != nil {
		return nil, err
	}
	timeout := syscall.NsecToTimeval(int64(timeout))
	err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &timeout)
	if err == nil {
		err = syscall.SetNonblock(fd, false)
	}
	if err != nil {
		_ = syscall.Close(fd) // err says more
		return nil, err
	}
	below.Close()
	return &socket{fd: fd, local: below.LocalAddr(), remote: below.RemoteAddr()}, nil
}

// Read implements net.Conn.
func (s *socket) Read(b []byte) (int, error) {
	s.using.RLock()
	defer s.using.RUnlock()
	for {
		switch {
		case s.closed.Load():
			return 0, net.ErrClosed
		case s.roused.Load():
			return 0, os.ErrDeadlineExceeded
		}
		n, failed := s.receive(b)
		switch {
		case failed == syscall.EINTR || failed == syscall.EAGAIN:
		case failed != 0:
			return 0, s.failure("read", failed)
		case n == 0 && !s.closed.Load():
			return 0, io.EOF
		case n > 0:
			return n, nil
		}
	}
}

func (s *socket) receive(b []byte) (int, syscall.Errno) {
	if !s.yielded.Load() {
		// A goroutine that waits in the usual way loses its processor to Go's monitor after 10 ms in which it let nobody else run,
		// and the monitor then watches all processors closely for a while, at some expense.
		return loop.Receive(s.fd, b)
	}
	n, err := syscall.Read(s.fd, b)
	failed, _ := errors.AsType[syscall.Errno](err)
	return n, failed
}

// Write implements net.Conn.
func (s *socket) Write(b []byte) (written int, err error) {
	s.using.RLock()
	defer s.using.RUnlock()
	for written < len(b) {
		if s.closed.Load() {
			return written, net.ErrClosed
		}
		n, failed := loop.Send(s.fd, b[written:])
		switch {
		case failed == 0:
			written += n
		case failed == syscall.EINTR:
		case failed == syscall.EAGAIN && s.hurried.Load():
			return written, os.ErrDeadlineExceeded
		case failed == syscall.EAGAIN:
			s.awaitRoom()
		default:
			return written, s.failure("write", failed)
		}
	}
	return written, nil
}

// awaitRoom waits until more can be written, the socket is closed, or the timeout is over.
func (s *socket) awaitRoom() {
	ready := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLOUT}}
	_, _ = unix.Poll(ready, int(timeout.Milliseconds())) // the next write says what is wrong
}

func (s *socket) failure(operation string, err error) error {
	err = os.NewSyscallError(operation, err)
	return &net.OpError{Op: operation, Net: s.local.Network(), Source: s.local, Addr: s.remote, Err: err}
}

// Close implements net.Conn.
func (s *socket) Close() error {
	if s.closed.Swap(true) {
		return net.ErrClosed
	}
	_ = syscall.Shutdown(s.fd, syscall.SHUT_RDWR) // wakes who uses it; where it fails, nobody waits
	s.using.Lock()
	defer s.using.Unlock()
	s.yield()
	return syscall.Close(s.fd)
}

// yield has the reader wait as others do.
func (s *socket) yield() {
	if !s.yielded.Swap(true) {
		readers.Add(-1)
	}
}

// SyscallConn implements syscall.Conn, for who asks the socket about itself.
func (s *socket) SyscallConn() (syscall.RawConn, error) { return asked{s}, nil }

// asked is a syscall.RawConn by which a socket can be asked, but not used.
type asked struct{ socket *socket }

// Control is syscall.RawConn's.
func (a asked) Control(f func(fd uintptr)) error {
	a.socket.using.RLock()
	defer a.socket.using.RUnlock()
	if a.socket.closed.Load() {
		return net.ErrClosed
	}
	f(uintptr(a.socket.fd))
	return nil
}

// Read is syscall.RawConn's.
func (asked) Read(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// Write is syscall.RawConn's.
func (asked) Write(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// LocalAddr implements net.Conn.
func (s *socket) LocalAddr() net.Addr { return s.local }

// RemoteAddr implements net.Conn.
func (s *socket) RemoteAddr() net.Addr { return s.remote }

// SetDeadline implements net.Conn.
func (s *socket) SetDeadline(t time.Time) error {
	return errors.Join(s.SetReadDeadline(t), s.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn as far as it is used: a time that is past ends what is being read, and none lets it be.
func (s *socket) SetReadDeadline(t time.Time) error {
	s.roused.Store(!t.IsZero())
	return nil
}

// SetWriteDeadline implements net.Conn as far as it is used: with any, a write that would wait fails.
func (s *socket) SetWriteDeadline(t time.Time) error {
	s.hurried.Store(!t.IsZero())
	return nil
}
