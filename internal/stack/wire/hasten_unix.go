//go:build unix

package wire

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"rpcbench/internal/stack/loop"
)

// hasten returns a socket whose writes take what fits even after their deadline. Go's own sockets would take nothing. A socket
// that can't be hastened is returned unchanged.
func hasten(socket net.Conn) net.Conn {
	if outer, ok := socket.(loop.Rebased); ok {
		_ = outer.Rebase(newHasty)
		return socket
	}
	if made, err := newHasty(socket); err == nil {
		return made
	}
	return socket
}

// A hasty socket is one of Go's.
type hasty struct {
	net.Conn
	raw     syscall.RawConn
	hurried atomic.Bool // a write that would wait is to fail

	// Of the write that hurries.
	ready   []byte
	written int
	failed  error
	try     func(fd uintptr) bool
}

func newHasty(socket net.Conn) (net.Conn, error) {
	has, ok := socket.(syscall.Conn)
	if !ok {
		return nil, errors.New("it has no descriptor")
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return nil, err
	}
	h := &hasty{Conn: socket, raw: raw}
	h.try = func(fd uintptr) bool {
		h.written, h.failed = syscall.Write(int(fd), h.ready)
		return !errors.Is(h.failed, syscall.EINTR)
	}
	return h, nil
}

// Write implements net.Conn. Those that hurry come one at a time.
func (h *hasty) Write(b []byte) (int, error) {
	if !h.hurried.Load() || len(b) == 0 {
		return h.Conn.Write(b)
	}
	h.ready = b
	if err := h.raw.Write(h.try); err != nil {
		return 0, err
	}
	h.ready = nil
	n, failed := max(h.written, 0), h.failed
	switch {
	case errors.Is(failed, syscall.EAGAIN), failed == nil && n < len(b):
		return n, os.ErrDeadlineExceeded
	case failed != nil:
		failed = &net.OpError{
			Op: "write", Net: h.LocalAddr().Network(), Source: h.LocalAddr(), Addr: h.RemoteAddr(),
			Err: os.NewSyscallError("write", failed),
		}
	}
	return n, failed
}

// SetWriteDeadline implements net.Conn as far as it is used: with any, a write that would wait fails.
func (h *hasty) SetWriteDeadline(t time.Time) error {
	h.hurried.Store(!t.IsZero())
	return nil
}

// SyscallConn implements syscall.Conn.
func (h *hasty) SyscallConn() (syscall.RawConn, error) { return h.raw, nil }
