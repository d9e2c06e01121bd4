package wire

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
	"unsafe"

	"golang.org/x/sys/unix"

	"rpcbench/internal/stack/loop"
)

// seats counts the sockets whose readers wait in the kernel.
var seats atomic.Int64

// rouseEvery is how late a reader in the kernel may learn that it was roused. Data wakes it at once.
const rouseEvery = 2 * time.Millisecond

// sit takes a socket out of Go's poller, so that its reader waits in the kernel. The poller costs four more system calls for each
// read that has to wait, and wakes a second thread. In the kernel a reader occupies one of Go's processors, so the number of
// sitting readers is at most one less than GOMAXPROCS, which is raised to at least two. A socket that can't be taken out is left
// unchanged. stand gives the processor back, for a reader that is less important than others.
func sit(socket net.Conn) (stand func()) {
	outer, ok := socket.(loop.Rebased)
	if !ok {
		return stay
	}
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}
	var made *sitting
	err := errors.New("there is no seat")
	if seats.Add(1) < int64(runtime.GOMAXPROCS(0)) {
		err = outer.Rebase(func(socket net.Conn) (net.Conn, error) {
			made, err = newSitting(socket)
			return made, err
		})
	}
	if err != nil {
		seats.Add(-1)
		return stay
	}
	return made.stand
}

func stay() {}

// A sitting is a socket in blocking mode.
type sitting struct {
	fd            int
	local, remote net.Addr
	using         sync.RWMutex // held for reading by who uses fd
	closed        atomic.Bool
	roused        atomic.Bool // the reader is to return
	hurried       atomic.Bool // a write that would wait is to fail
	standing      atomic.Bool // its seat is given back
}

// newSitting replaces a socket, which it closes.
func newSitting(socket net.Conn) (*sitting, error) {
	raw, ok := socket.(syscall.Conn)
	if !ok {
		return nil, errors.New("it has no descriptor")
	}
	fd, err := duplicate(raw)
	if err != nil {
		return nil, err
	}
	timeout := syscall.NsecToTimeval(int64(rouseEvery))
	err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &timeout)
	if err == nil {
		err = syscall.SetNonblock(fd, false)
	}
	if err != nil {
		_ = syscall.Close(fd) // err says more
		return nil, err
	}
	socket.Close()
	return &sitting{fd: fd, local: socket.LocalAddr(), remote: socket.RemoteAddr()}, nil
}

func duplicate(socket syscall.Conn) (fd int, err error) {
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed syscall.Errno
	err = raw.Control(func(old uintptr) {
		var again uintptr
		again, _, failed = syscall.Syscall(syscall.SYS_FCNTL, old, syscall.F_DUPFD_CLOEXEC, 0)
		fd = int(again)
	})
	if err == nil && failed != 0 {
		err = failed
	}
	return fd, err
}

// Read implements net.Conn.
func (s *sitting) Read(b []byte) (int, error) {
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

func (s *sitting) receive(b []byte) (int, syscall.Errno) {
	if !s.standing.Load() {
		return receive(s.fd, b)
	}
	n, err := syscall.Read(s.fd, b)
	failed, _ := errors.AsType[syscall.Errno](err)
	return n, failed
}

// receive reads, and keeps a processor of Go's to itself while it waits. From what waits as Go's own system calls do, the
// processor is taken after 10 ms in which it let nobody else go on, and then Go watches all of them closely for a while,
// at some expense. Here Go asks for it by a signal, which ends the wait, and has it where the next function begins.
//
//go:noinline
func receive(fd int, b []byte) (int, syscall.Errno) {
	n, _, failed := syscall.RawSyscall(
		syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	return int(n), failed
}

// send writes as much as can be written now.
func send(fd int, b []byte) (int, syscall.Errno) {
	const flags = syscall.MSG_NOSIGNAL | syscall.MSG_DONTWAIT
	n, _, failed := syscall.RawSyscall6(
		syscall.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
	return int(n), failed
}

// Write implements net.Conn.
func (s *sitting) Write(b []byte) (written int, err error) {
	s.using.RLock()
	defer s.using.RUnlock()
	for written < len(b) {
		if s.closed.Load() {
			return written, net.ErrClosed
		}
		n, failed := send(s.fd, b[written:])
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

// awaitRoom waits until more can be written, the socket is closed, or rouseEvery is over.
func (s *sitting) awaitRoom() {
	ready := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLOUT}}
	_, _ = unix.Poll(ready, int(rouseEvery.Milliseconds())) // the next write says what is wrong
}

func (s *sitting) failure(operation string, err error) error {
	err = os.NewSyscallError(operation, err)
	return &net.OpError{Op: operation, Net: s.local.Network(), Source: s.local, Addr: s.remote, Err: err}
}

// Close implements net.Conn.
func (s *sitting) Close() error {
	if s.closed.Swap(true) {
		return net.ErrClosed
	}
	_ = syscall.Shutdown(s.fd, syscall.SHUT_RDWR) // wakes who uses it; where it fails, nobody waits
	s.using.Lock()
	defer s.using.Unlock()
	s.stand()
	return syscall.Close(s.fd)
}

// stand makes the reader wait as others do.
func (s *sitting) stand() {
	if !s.standing.Swap(true) {
		seats.Add(-1)
	}
}

// SyscallConn implements syscall.Conn, for who asks the socket about itself.
func (s *sitting) SyscallConn() (syscall.RawConn, error) { return asked{s}, nil }

// asked is a syscall.RawConn by which a socket can be asked, but not used.
type asked struct{ sitting *sitting }

// Control is syscall.RawConn's.
func (a asked) Control(f func(fd uintptr)) error {
	a.sitting.using.RLock()
	defer a.sitting.using.RUnlock()
	if a.sitting.closed.Load() {
		return net.ErrClosed
	}
	f(uintptr(a.sitting.fd))
	return nil
}

// Read is syscall.RawConn's.
func (asked) Read(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// Write is syscall.RawConn's.
func (asked) Write(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// LocalAddr implements net.Conn.
func (s *sitting) LocalAddr() net.Addr { return s.local }

// RemoteAddr implements net.Conn.
func (s *sitting) RemoteAddr() net.Addr { return s.remote }

// SetDeadline implements net.Conn.
func (s *sitting) SetDeadline(t time.Time) error {
	return errors.Join(s.SetReadDeadline(t), s.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn as far as it is used: a time that is past ends what is being read, and none lets it be.
func (s *sitting) SetReadDeadline(t time.Time) error {
	s.roused.Store(!t.IsZero())
	return nil
}

// SetWriteDeadline implements net.Conn as far as it is used: with any, a write that would wait fails.
func (s *sitting) SetWriteDeadline(t time.Time) error {
	s.hurried.Store(!t.IsZero())
	return nil
}
