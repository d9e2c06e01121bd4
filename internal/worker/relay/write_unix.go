//go:build unix

package relay

import (
	"errors"
	"syscall"
)

// An attempt writes to a socket what it accepts at once.
type attempt struct {
	raw  syscall.RawConn // nil where there is none, so that nothing is taken at once
	try  func(descriptor uintptr) bool
	data []byte
	n    int
	err  error
}

// to prepares for a socket; nil is none.
func (a *attempt) to(s socket) {
	if s == nil {
		return
	}
	if raw, err := s.SyscallConn(); err == nil {
		a.raw, a.try = raw, a.once
	}
}

// write returns the number of bytes accepted, possibly 0. An error means that the socket will accept no more.
func (a *attempt) write(data []byte) (n int, err error) {
	if a.raw == nil {
		return 0, nil
	}
	a.data, a.n = data, 0
	closed := a.raw.Write(a.try)
	a.data = nil
	if closed != nil {
		return 0, closed
	}
	return a.n, a.err
}

// once never asks to be called again, which tells a RawConn not to wait.
func (a *attempt) once(descriptor uintptr) bool {
	for {
		n, err := syscall.Write(int(descriptor), a.data)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
		case err != nil:
			a.err = err
		default:
			a.n = n
		}
		return true
	}
}
