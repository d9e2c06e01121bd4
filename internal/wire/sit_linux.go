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
)

// seats counts the sockets whose readers wait in the kernel.
var seats atomic.Int64

// rouseEvery is how late a reader in the kernel may learn that it was roused. Data wakes it at once.
const rouseEvery = 2 * time.Millisecond

// yieldEvery is how often a reader lets others of its processor go on. Go takes the processor from a goroutine that has
// not done so for 10 ms, even within a system call, and then watches all of them closely for a while, at some expense.
const yieldEvery = 8 * time.Millisecond

// A rebased socket counts, or does what else its maker wants, around another one that may be replaced.
type rebased interface {
	Rebase(replace func(net.Conn) (net.Conn, error)) error
}

// sit takes a socket out of Go's poller, so that its reader waits for it in the kernel. The poller costs another four
// system calls for each read that has to wait, and wakes a second thread. In the kernel a reader keeps a processor of
// Go's to itself, so there may be one less of them than those, which are two at least from then on. A socket that can't
// be taken out stays as it is.
func sit(socket net.Conn) {
	outer, ok := socket.(rebased)
	if !ok {
		return
	}
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}
	if seats.Add(1) >= int64(runtime.GOMAXPROCS(0)) || outer.Rebase(newSitting) != nil {
		seats.Add(-1)
	}
}

// A sitting is a socket in blocking mode.
type sitting struct {
	fd            int
	local, remote net.Addr
	using         sync.RWMutex // held for reading by who uses fd
	closed        atomic.Bool
	yielded       time.Time   // of the reader
	roused        atomic.Bool // the reader is to return
	hurried       atomic.Bool // a write that would wait is to fail
}

// newSitting replaces a socket, which it closes.
func newSitting(socket net.Conn) (net.Conn, error) {
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
		n, err := syscall.Read(s.fd, b)
		switch {
		case err == syscall.EINTR || err == syscall.EAGAIN:
		case err != nil:
			return 0, s.failure("read", err)
		case n == 0 && !s.closed.Load():
			return 0, io.EOF
		case n > 0:
			s.yield()
			return n, nil
		}
	}
}

func (s *sitting) yield() {
	if now := time.Now(); now.Sub(s.yielded) > yieldEvery {
		s.yielded = now
		runtime.Gosched()
	}
}

// Write implements net.Conn.
func (s *sitting) Write(b []byte) (written int, err error) {
	s.using.RLock()
	defer s.using.RUnlock()
	for written < len(b) {
		if s.closed.Load() {
			return written, net.ErrClosed
		}
		flags := syscall.MSG_NOSIGNAL
		if s.hurried.Load() {
			flags |= syscall.MSG_DONTWAIT
		}
		n, err := syscall.SendmsgN(s.fd, b[written:], nil, nil, flags)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return written, s.failure("write", err)
		}
		written += n
	}
	return written, nil
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
	seats.Add(-1)
	return syscall.Close(s.fd)
}

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
