package sockettest

import (
	"errors"
	"net"
	"syscall"
)

// A Rebased socket lets a client replace the one below, as the worker's sockets do.
type Rebased struct{ net.Conn }

// Rebase has replace make another socket of the one below.
func (r *Rebased) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	other, err := replace(r.Conn)
	if err == nil {
		r.Conn = other
	}
	return err
}

// SyscallConn implements syscall.Conn.
func (r *Rebased) SyscallConn() (syscall.RawConn, error) {
	if has, ok := r.Conn.(syscall.Conn); ok {
		return has.SyscallConn()
	}
	return nil, errors.New("the socket has no descriptor")
}
