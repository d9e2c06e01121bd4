package kernelclock

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// asked are the time stamps of a socket: when the kernel passed a packet to the device, and when it took one from it. The
// first come through the socket's queue of errors, without the packet.
const asked = unix.SOF_TIMESTAMPING_SOFTWARE | unix.SOF_TIMESTAMPING_TX_SOFTWARE | unix.SOF_TIMESTAMPING_RX_SOFTWARE |
	unix.SOF_TIMESTAMPING_OPT_TSONLY

// controlBytes has room for the time stamps and the reason that come with a packet.
const controlBytes = 256

// A stamped is a socket that keeps the Times of its calls.
type stamped struct {
	net.Conn
	raw  syscall.RawConn
	path string

	mu      sync.Mutex // of what follows
	open    call       // the call in hand
	times   []Time
	control [controlBytes]byte
	sent    [controlBytes]byte
}

// A call holds the times of its parts, in nanoseconds of the real-time clock, which the kernel's stamps use; 0 means not yet.
type call struct{ writing, left, came, read int64 }

// Available says why there are no time stamps on this machine; nil where there are.
func Available() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING, asked)
}

// stamp has a socket's calls timed.
func stamp(conn net.Conn, path string) (net.Conn, error) {
	has, ok := conn.(syscall.Conn)
	if !ok {
		return nil, errors.New("a socket without a file descriptor has no time stamps")
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return nil, err
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPING, asked)
	})
	if err = errors.Join(err, refused); err != nil {
		return nil, fmt.Errorf("ask for the kernel's time stamps: %w", err)
	}
	return &stamped{Conn: conn, raw: raw, path: path}, nil
}

// Write implements net.Conn. The stamp usually exists when the write returns, because loopback delivers at once; it is fetched
// while the server works.
func (s *stamped) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.end()
	s.open.writing = time.Now().UnixNano()
	s.mu.Unlock() // the reply may be read meanwhile
	n, err := s.Conn.Write(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetch()
	return n, err
}

// fetch fetches the time stamp of the request, if there is one that was not fetched.
func (s *stamped) fetch() {
	_ = s.raw.Control(func(fd uintptr) {
		_, length, _, _, err := unix.Recvmsg(int(fd), nil, s.sent[:], unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT)
		if at := stampIn(s.sent[:max(length, 0)]); err == nil && at > 0 {
			s.open.left = at
		}
	})
}

// Read implements net.Conn.
func (s *stamped) Read(b []byte) (n int, err error) {
	var length int
	waiting := s.raw.Read(func(fd uintptr) bool {
		n, length, _, _, err = unix.Recvmsg(int(fd), b, s.control[:], 0)
		return !errors.Is(err, unix.EAGAIN)
	})
	now := time.Now().UnixNano()
	switch {
	case waiting != nil:
		return 0, waiting
	case err != nil:
		return 0, os.NewSyscallError("recvmsg", err)
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.came, s.open.read = stampIn(s.control[:length]), now
	if s.open.left == 0 { // a busy kernel passed the request on after the write; now there is a reply to it
		s.fetch()
	}
	return n, nil
}

// end keeps the time of the call in hand, where all of it is known.
func (s *stamped) end() {
	if c := s.open; c.left > 0 && c.came > c.left && c.read > c.writing {
		s.times = append(s.times, Time{KernelNs: c.came - c.left, SocketNs: c.read - c.writing})
	}
	s.open = call{}
}

// Close implements net.Conn.
func (s *stamped) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	return errors.Join(s.Conn.Close(), write(s.path, s.times))
}

// SyscallConn implements syscall.Conn.
func (s *stamped) SyscallConn() (syscall.RawConn, error) { return s.raw, nil }

// stampIn is the time stamp in a packet's control messages; 0 is none.
func stampIn(control []byte) int64 {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0
	}
	for _, m := range messages {
		var at unix.Timespec
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPING && len(m.Data) >= int(unsafe.Sizeof(at)) {
			at = *(*unix.Timespec)(unsafe.Pointer(&m.Data[0])) // of three the first, that of software
			return at.Nano()
		}
	}
	return 0
}
