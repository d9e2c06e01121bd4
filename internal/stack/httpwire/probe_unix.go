//go:build unix

package httpwire

import (
	"crypto/tls"
	"net"
	"syscall"
)

// A probe tells whether a socket on which nothing is due is still of use. The zero value can't tell, and says yes.
type probe struct {
	raw  syscall.RawConn
	look func(fd uintptr) bool
	dead *bool
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
	dead := new(bool)
	return probe{raw: raw, dead: dead, look: func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		*dead = err != syscall.EAGAIN // there is an end, or an answer to nothing: what servers say that hang up
		return true
	}}
}

func (p probe) alive() bool {
	return p.raw == nil || p.raw.Read(p.look) == nil && !*p.dead
}
