//go:build unix

package httpwire

import (
	"crypto/tls"
	"errors"
	"net"
	"syscall"
)

// A probe looks at a socket, and takes nothing from it. The zero value can't, and finds it quiet.
type probe struct {
	raw   syscall.RawConn
	look  func(fd uintptr)
	found *state
}

func newProbe(conn net.Conn) probe {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	has, ok := conn.(syscall.Conn)
	if !ok {
		return probe{}
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return probe{}
	}
	found := new(state)
	one := make([]byte, 1)
	return probe{raw: raw, found: found, look: func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), one, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch {
		case errors.Is(err, syscall.EAGAIN):
			*found = quiet
		case n > 0:
			*found = spoken
		default:
			*found = ended
		}
	}}
}

func (p probe) state() state {
	switch {
	case p.raw == nil:
		return quiet
	case p.raw.Control(p.look) != nil:
		return ended
	}
	return *p.found
}
